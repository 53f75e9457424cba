/** An ad that may be shown now. */
export interface Candidate {
  id: string;
  /** How often it has still to be shown; null: no number was bought, or the guaranteed one is reached. */
  left: number | null;
  endsAt: Date;
}

const DAY_MS = 24 * 3_600_000;
/** What has to be shown in less than an hour is not made more urgent than that. */
const LEAST_MS = 3_600_000;

/**
 * How often each is shown, as weights: one that was sold by number as often a day as it needs to reach its number in time; the others
 * share what the place has left of `perDay` impressions. Where the place has not enough for all, they keep half of an equal share.
 */
export function weights(candidates: readonly Candidate[], perDay: number, now: Date): number[] {
  const needs = candidates.map(({ left, endsAt }) =>
    left === null ? null : (left * DAY_MS) / Math.max(endsAt.getTime() - now.getTime(), LEAST_MS),
  );
  const needed = needs.reduce<number>((sum, need) => sum + (need ?? 0), 0);
  const others = needs.filter((need) => need === null).length;
  const total = Math.max(perDay, needed, 1);
  const equalShare = (total * others) / candidates.length;
  const rest = Math.max(total - needed, equalShare / 2);
  return needs.map((need) => need ?? rest / others);
}

/** So many of them at most, one after the other, each with the chance that its weight has among those left. `random` is in [0, 1). */
export function draw(
  candidates: readonly Candidate[],
  { perDay, now, count, random }: { perDay: number; now: Date; count: number; random: () => number },
): Candidate[] {
  const weighted = weights(candidates, perDay, now);
  const pool = candidates.map((candidate, at) => ({ candidate, weight: weighted[at]! }));
  const drawn: Candidate[] = [];
  while (drawn.length < count && pool.length > 0) {
    let point = random() * pool.reduce((sum, { weight }) => sum + weight, 0);
    const at = pool.findIndex(({ weight }) => (point -= weight) < 0);
    const [taken] = pool.splice(at === -1 ? pool.length - 1 : at, 1);
    drawn.push(taken!.candidate);
  }
  return drawn;
}
