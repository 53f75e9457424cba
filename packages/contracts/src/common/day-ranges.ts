// No zod here: the frontend displays these days before it loads a schema library.
import { HOUR_MS, dayAt, daysAfter, instantOf } from './times.ts';

/** `from` is inclusive, `to` exclusive. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** A night that began on the previous evening lasts until this hour. */
const MORNING = '05:00';
const EVENING = '17:00';

/** The end of the previous day's night. */
export const morningOf = (day: string): Date => instantOf(day, MORNING);

/** A whole day in New York, "2026-11-28". */
export const dayRange = (day: string): TimeRange => ({ from: instantOf(day), to: instantOf(daysAfter(day, 1)) });

export const todayRange = (now: Date): TimeRange => dayRange(dayAt(now));
export const tomorrowRange = (now: Date): TimeRange => dayRange(daysAfter(dayAt(now), 1));

/** From 5 PM until 5 AM in New York. Between midnight and 5 AM, this is the night that began on the previous day. */
export function tonightRange(now: Date): TimeRange {
  const day = dayAt(new Date(now.getTime() - 5 * HOUR_MS));
  return { from: instantOf(day, EVENING), to: morningOf(daysAfter(day, 1)) };
}

/** From Friday, 5 PM, to midnight before Monday: the current weekend, or else the next weekend. */
export function weekendRange(now: Date): TimeRange {
  const day = dayAt(now);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const friday = daysAfter(day, weekday === 0 ? -2 : 5 - weekday);
  return { from: instantOf(friday, EVENING), to: instantOf(daysAfter(friday, 3)) };
}

/** From the start of today until the end of Sunday. */
export function weekRange(now: Date): TimeRange {
  const day = dayAt(now);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { from: instantOf(day), to: instantOf(daysAfter(day, weekday === 0 ? 1 : 8 - weekday)) };
}
