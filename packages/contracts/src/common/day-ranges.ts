// No zod here: the page offers these days before it loads a schema library.
import { HOUR_MS, dayAt, daysAfter, instantOf } from './times.ts';

/** From the first instant to before the second. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** A night reaches into the next morning: before this hour it is still the evening before. */
const MORNING = '05:00';
const EVENING = '17:00';

/** When the night of the day before is over. */
export const morningOf = (day: string): Date => instantOf(day, MORNING);

/** The whole of a day in New York, "2026-11-28". */
export const dayRange = (day: string): TimeRange => ({ from: instantOf(day), to: instantOf(daysAfter(day, 1)) });

export const todayRange = (now: Date): TimeRange => dayRange(dayAt(now));
export const tomorrowRange = (now: Date): TimeRange => dayRange(daysAfter(dayAt(now), 1));

/** From five in the afternoon until five in the morning; after midnight it is the night that began the day before. */
export function tonightRange(now: Date): TimeRange {
  const day = dayAt(new Date(now.getTime() - 5 * HOUR_MS));
  return { from: instantOf(day, EVENING), to: morningOf(daysAfter(day, 1)) };
}

/** From Friday at five in the afternoon until Monday's first hour: the weekend that is on, or else the next. */
export function weekendRange(now: Date): TimeRange {
  const day = dayAt(now);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const friday = daysAfter(day, weekday === 0 ? -2 : 5 - weekday);
  return { from: instantOf(friday, EVENING), to: instantOf(daysAfter(friday, 3)) };
}
