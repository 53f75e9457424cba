// No zod here: the home page computes days and hours with it.
import { tzOffset } from '@date-fns/tz/tzOffset';

/** Where the events are: their days and hours are read in this zone, wherever reader and server are. */
export const ZONE = 'America/New_York';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const KEPT_OFFSETS = 10_000;
const offsets = new Map<number, number>();

/**
 * Milliseconds that New York is ahead of UTC at this instant; below zero. Its clocks have only ever been changed at whole hours of
 * UTC, so each hour is asked for once: asking takes as long as two hundred lookups.
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
 * The instant at which New York's clocks show this time, "19:00", on this day, "2026-11-21". Twice an autumn night they show the
 * same: the first counts. What they skip in spring is read with the offset before, an hour later on the clock. (`TZDate` of the
 * same library goes through the zone of the machine and differs in these hours.)
 */
export function instantOf(day: string, time = '00:00'): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const before = wall - offsetAt(wall - DAY_MS);
  const after = wall - offsetAt(wall + DAY_MS);
  const shows = (instant: number) => instant + offsetAt(instant) === wall;
  return new Date(shows(before) || !shows(after) ? before : after);
}

/** An instant as New York's clocks and calendar say it, with their offset: "2026-11-28T19:00:00-05:00". */
export function zonedText(instant: Date): string {
  const offset = offsetAt(instant.getTime());
  const [hours, minutes] = [Math.trunc(-offset / HOUR_MS), (-offset % HOUR_MS) / 60_000];
  const two = (number: number) => String(number).padStart(2, '0');
  return `${new Date(instant.getTime() + offset).toISOString().slice(0, 19)}-${two(hours)}:${two(minutes)}`;
}

/** The day so many days later: "2026-11-30" and 2 is "2026-12-02". */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

const isMidnightUtc = (date: Date): boolean => date.getTime() % DAY_MS === 0;

/**
 * The day that an event's date names. What is published now is the midnight of that day in New York. Before, a bare date was kept as
 * midnight UTC: it names that very day. No midnight of New York is one of UTC, so both can be read.
 */
export function dayOf(eventDate: string | Date): string {
  const date = new Date(eventDate);
  return isMidnightUtc(date) ? date.toISOString().slice(0, 10) : dayAt(date);
}

/** A clock that shows midnight, at an offset of zero. */
const ZERO_MIDNIGHT = /T00:00(:00(\.0+)?)?(Z|[+-]00:?00)$/i;

/**
 * An event's date as a client sends it, ISO text, as the midnight of its day in New York. "2026-11-21" is that day, and so is what
 * JavaScript makes of it, "2026-11-21T00:00:00.000Z". Any other text is an instant, and means the day on which it is in New York.
 */
export function eventDateFrom(text: string): string {
  const isDay = !text.includes('T') || ZERO_MIDNIGHT.test(text);
  return instantOf(isDay ? text.slice(0, 10) : dayAt(new Date(text))).toISOString();
}

/** An event's date and hours as they are kept: "19:00", and no end where none was said. */
export interface EventHours {
  eventDate: string | Date;
  eventStartTime: string;
  eventEndTime?: string | null;
}

/** For how long an event without an end is taken to last. */
const DEFAULT_HOURS = 3;

export const startOf = ({ eventDate, eventStartTime }: EventHours): Date => instantOf(dayOf(eventDate), eventStartTime);

/** When it ends, if that was said. An end at or before the start is on the next day. */
export function saidEndOf(event: EventHours): Date | null {
  if (!event.eventEndTime) return null;
  const { eventEndTime } = event;
  const day = dayOf(event.eventDate);
  const end = instantOf(day, eventEndTime);
  if (end > startOf(event)) return end;
  // The night on which clocks go back: from 1:45 to the second 1:15.
  const again = new Date(end.getTime() + HOUR_MS);
  return again > startOf(event) && zonedText(again).slice(11, 16) === eventEndTime
    ? again
    : instantOf(daysAfter(day, 1), eventEndTime);
}

/** When it ends; without an end, three hours after its start. */
export const endOf = (event: EventHours): Date =>
  saidEndOf(event) ?? new Date(startOf(event).getTime() + DEFAULT_HOURS * HOUR_MS);

/** Its hours are over: nothing is sold for it any more. */
export const hasEnded = (event: EventHours, now: Date): boolean => now >= endOf(event);
