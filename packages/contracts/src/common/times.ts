// No zod here: the home page computes days and hours with this file.
import { tzOffset } from '@date-fns/tz/tzOffset';

/** The time zone of all events, regardless of the reader's and the server's zones. */
export const ZONE = 'America/New_York';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const KEPT_OFFSETS = 10_000;
const offsets = new Map<number, number>();

/**
 * Milliseconds to add to UTC for New York time; negative. New York's clocks have only ever changed at whole hours of
 * UTC, so the offset is cached per hour. Computing it takes as long as two hundred cache lookups.
 */
function offsetAt(instant: number): number {
  const hour = Math.floor(instant / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const offset = tzOffset(ZONE, new Date(instant)) * 60_000;
  if (offsets.size >= KEPT_OFFSETS) offsets.clear();
  offsets.set(hour, offset);
  return offset;
}

/** The day in New York at an instant: "2026-11-21". */
export const dayAt = (instant: Date): string =>
  new Date(instant.getTime() + offsetAt(instant.getTime())).toISOString().slice(0, 10);

/**
 * The instant at which clocks in New York show this time, "19:00", on this day, "2026-11-21". For a time that occurs
 * twice in autumn, this is the first occurrence. A time skipped in spring uses the offset before the change, one hour
 * later on the clock. (`TZDate` of the same library uses the machine's zone and differs in these hours.)
 */
export function instantOf(day: string, time = '00:00'): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const before = wall - offsetAt(wall - DAY_MS);
  const after = wall - offsetAt(wall + DAY_MS);
  const shows = (instant: number) => instant + offsetAt(instant) === wall;
  return new Date(shows(before) || !shows(after) ? before : after);
}

/** An instant in New York time with its offset: "2026-11-28T19:00:00-05:00". */
export function zonedText(instant: Date): string {
  const offset = offsetAt(instant.getTime());
  const [hours, minutes] = [Math.trunc(-offset / HOUR_MS), (-offset % HOUR_MS) / 60_000];
  const two = (number: number) => String(number).padStart(2, '0');
  return `${new Date(instant.getTime() + offset).toISOString().slice(0, 19)}-${two(hours)}:${two(minutes)}`;
}

/** The day `count` days later: "2026-11-30" and 2 return "2026-12-02". */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** The number of days from one day to another: 2 from "2026-12-04" to "2026-12-06". */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const isMidnightUtc = (date: Date): boolean => date.getTime() % DAY_MS === 0;

/**
 * The day of an event's date. New events store midnight of that day in New York. Older events stored a bare date as
 * midnight UTC of that day. Midnight in New York is never midnight UTC, so the two formats are distinguishable.
 */
export function dayOf(eventDate: string | Date): string {
  const date = new Date(eventDate);
  return isMidnightUtc(date) ? date.toISOString().slice(0, 10) : dayAt(date);
}

/** Midnight with an offset of zero. */
const ZERO_MIDNIGHT = /T00:00(:00(\.0+)?)?(Z|[+-]00:?00)$/i;

/**
 * Converts a client's event date (ISO text) to midnight in New York on its day. "2026-11-21" is that day, and so is
 * "2026-11-21T00:00:00.000Z", which is JavaScript's form of a bare day. Any other text is an instant, and its day is
 * the day in New York.
 */
export function eventDateFrom(text: string): string {
  const isDay = !text.includes('T') || ZERO_MIDNIGHT.test(text);
  return instantOf(isDay ? text.slice(0, 10) : dayAt(new Date(text))).toISOString();
}

/** An event's dates and hours as stored: "19:00"; the end may be missing. */
export interface EventHours {
  eventDate: string | Date;
  /** The last of several days, in the form of `eventDate`. Missing: the event takes one day. */
  eventLastDate?: string | Date | null | undefined;
  eventStartTime: string;
  eventEndTime?: string | null;
}

/** Assumed duration of an event without an end. */
const DEFAULT_HOURS = 3;

export const startOf = ({ eventDate, eventStartTime }: EventHours): Date => instantOf(dayOf(eventDate), eventStartTime);

type EventDates = Pick<EventHours, 'eventDate' | 'eventLastDate'>;

/** The first and the last day of an event; they are the same day if the event takes one day. */
export function daysOfEvent({ eventDate, eventLastDate }: EventDates): { first: string; last: string } {
  const first = dayOf(eventDate);
  const last = eventLastDate ? dayOf(eventLastDate) : first;
  return { first, last: last > first ? last : first };
}

/** Maximum number of days of one event. */
export const MOST_DAYS = 31;

/** True if an event of several days may end on this day: after its first day, with at most 31 days in total. */
export const isLastDay = (first: string, last: string): boolean =>
  last > first && last <= daysAfter(first, MOST_DAYS - 1);

export function eachDayOf(event: EventDates): string[] {
  const { first, last } = daysOfEvent(event);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, count) => daysAfter(first, count));
}

/**
 * The event's day that is relevant now: before the event its first day, during the event today, after the event its
 * last day.
 */
export function currentDayOf(event: EventDates, now: Date): string {
  const { first, last } = daysOfEvent(event);
  const today = dayAt(now);
  if (today <= first) return first;
  return today < last ? today : last;
}

/** An event of several days whose end time is at or before this hour ends in the night after its last day. */
const NIGHT_ENDS = '06:00';

/** The instant of the start time on the event's last day. The end is computed from this instant. */
const lastStartOf = (event: EventHours): Date => instantOf(daysOfEvent(event).last, event.eventStartTime);

/**
 * The instant at which the event ends, on its last day; null if no end is given. An end at or before the start is on
 * the next day. An event of several days may end earlier in the day than it began: from Friday, 6 PM, to Sunday, 4 PM.
 */
export function saidEndOf(event: EventHours): Date | null {
  if (!event.eventEndTime) return null;
  const { eventEndTime } = event;
  const { first, last } = daysOfEvent(event);
  const start = lastStartOf(event);
  const end = instantOf(last, eventEndTime);
  if (end > start || (last > first && eventEndTime > NIGHT_ENDS)) return end;
  // An event in the hour that occurs twice when clocks go back: from 1:45 to the second 1:15.
  const again = new Date(end.getTime() + HOUR_MS);
  return again > start && zonedText(again).slice(11, 16) === eventEndTime
    ? again
    : instantOf(daysAfter(last, 1), eventEndTime);
}

/** When the event ends; if no end is given, three hours after the start time on its last day. */
export const endOf = (event: EventHours): Date =>
  saidEndOf(event) ?? new Date(lastStartOf(event).getTime() + DEFAULT_HOURS * HOUR_MS);

/** True once the event is over. Then sales are closed. */
export const hasEnded = (event: EventHours, now: Date): boolean => now >= endOf(event);
