/** The region's time zone: an event's date and times are meant so. */
export const ZONE = 'America/New_York';

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** What the clocks of the region show at this instant, as if it were UTC. */
function wallClock(instant: Date): number {
  const value = Object.fromEntries(parts.formatToParts(instant).map(({ type, value: text }) => [type, Number(text)]));
  return Date.UTC(value['year'] ?? 0, (value['month'] ?? 1) - 1, value['day'], value['hour'], value['minute']);
}

const DAY_MS = 24 * 3_600_000;

/** An event's date is the midnight its day begins with here; midnight UTC is a bare date, and means that very day. */
const dayOf = (date: Date): Date => (date.getTime() % DAY_MS === 0 ? date : new Date(wallClock(date)));

/** The instant at which the region's clocks show this time on the day of `date`. */
function at(date: Date, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const day = dayOf(date);
  const wanted = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hours, minutes);
  const guess = new Date(wanted - (wallClock(new Date(wanted)) - wanted));
  // A second look, for days on which the clocks are changed.
  return new Date(guess.getTime() + (wanted - wallClock(guess)));
}

const DEFAULT_HOURS = 3;

/** Start and end of an event. An end before the start is on the next day; without one, three hours. */
export function eventTimes(event: { eventDate: Date; eventStartTime: string; eventEndTime: string | null }): {
  start: Date;
  end: Date;
} {
  const start = at(event.eventDate, event.eventStartTime);
  if (!event.eventEndTime) return { start, end: new Date(start.getTime() + DEFAULT_HOURS * 3_600_000) };
  const end = at(event.eventDate, event.eventEndTime);
  return { start, end: end > start ? end : new Date(end.getTime() + DAY_MS) };
}

/** "Saturday, November 21, 2026 at 7:00 PM" */
export const spokenTime = (instant: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: ZONE, dateStyle: 'full', timeStyle: 'short' }).format(instant);
