/** An ad that may be shown now. */
export interface Candidate {
  id: string;
  /** Remaining impressions. null: no number was bought, or the guaranteed number is reached. */
  left: number | null;
  endsAt: Date;
}

const DAY_MS = 24 * 3_600_000;
/** In its last hour an ad keeps the weight of an ad with one hour left, so that the weight stops growing. */
const LEAST_MS = 3_600_000;

/**
 * The weight of each ad. If an ad was sold with a number of impressions, its weight is the daily impressions that it
 * needs to reach this number in time. Ads sold by time share the rest of the slot's `perDay` impressions, and get at
 * least half of an equal share.
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

/** Draws up to `count` different ads, each with a chance proportional to its weight. `random` is in [0, 1). */
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
