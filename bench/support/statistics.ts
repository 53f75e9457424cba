/** The middle value; for an even number of values, the mean of the two middle values. NaN for an empty list. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = sorted.length % 2 === 1 ? upper : upper - 1;
  return (sorted[lower]! + sorted[upper]!) / 2;
}

/** The value that this share (0 to 1) of the values does not exceed. NaN for an empty list. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}

/** Three significant digits, the precision of a ratio here. */
export const digits = (value: number): number => Number(value.toPrecision(3));

/** Median of the per-round ratios. `ours` and `theirs` are measured in turns, so a slow machine affects both. */
export const ratioOf = (ours: number[], theirs: number[]): number =>
  digits(median(ours.map((value, round) => value / theirs[round]!)));
