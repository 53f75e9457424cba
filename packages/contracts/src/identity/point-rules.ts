import type { PointsKind } from './points.ts';
import { daysAfter } from '../common/times.ts';

/** Points per fact (services/identity/PRODUCT.md#points-and-badges). A challenge has its own reward. */
export const POINTS: Record<Exclude<PointsKind, 'challenge'>, number> = {
  attended: 20,
  photo: 5,
  referral: 50,
  connection: 10,
};

/** Maximum number of photos per event and account that earn points. */
export const PHOTOS_OF_EVENT = 10;

/** Points at which a level begins: 0, 100, 300, 600. Each step is 100 wider than the previous step. */
export const levelFrom = (level: number): number => 50 * level * (level - 1);

export function levelOf(points: number): number {
  let level = 1;
  while (levelFrom(level + 1) <= points) level++;
  return level;
}

/** The Sunday on which a day's week begins: "2026-11-21" is in the week of "2026-11-15". */
export const weekOf = (day: string): string => daysAfter(day, -new Date(`${day}T00:00:00Z`).getUTCDay());

/** Runs of consecutive weeks, each with its last week and its length. */
function runsOf(weeks: Iterable<string>): Array<{ last: string; length: number }> {
  const runs: Array<{ last: string; length: number }> = [];
  for (const week of [...new Set(weeks)].sort()) {
    const run = runs.at(-1);
    if (run && daysAfter(run.last, 7) === week) Object.assign(run, { last: week, length: run.length + 1 });
    else runs.push({ last: week, length: 1 });
  }
  return runs;
}

/** Number of consecutive weeks that end with this week, or with the previous week while this week is not over. */
export function streakOf(weeks: Iterable<string>, thisWeek: string): number {
  const current = [thisWeek, daysAfter(thisWeek, -7)];
  return runsOf(weeks).find(({ last }) => current.includes(last))?.length ?? 0;
}

export const longestStreakOf = (weeks: Iterable<string>): number =>
  Math.max(0, ...runsOf(weeks).map(({ length }) => length));
