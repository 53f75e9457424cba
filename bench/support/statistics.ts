/** The middle value; of an even number the mean of the two in the middle. NaN of none. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = sorted.length % 2 === 1 ? upper : upper - 1;
  return (sorted[lower]! + sorted[upper]!) / 2;
}

/** The value that this share (0 to 1) of the values does not exceed. NaN of none. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}

/** To three digits, as a ratio is worth. */
export const digits = (value: number): number => Number(value.toPrecision(3));

/** Median of the ratios of the rounds: `ours` and `theirs` were measured in turns, so that what slows the machine slows both. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  digits(median(ours.map((value, round) => value / theirs[round]!)));
