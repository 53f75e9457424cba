/** Where the events are. */
const ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

const day = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const here = day(ZONE);
const bare = day('UTC');
const zoned = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' });

/** "-05:00" or "-04:00", at a moment. */
const offsetAt = (moment: Date): string =>
  zoned
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', '') || '+00:00';

/** A wall clock in New York as ISO text with its offset: "2026-11-28" and "19:00" → "2026-11-28T19:00:00-05:00". */
function moment(date: string, time: string): string {
  // Taken as if it were UTC, it is some hours off; the offset of the moment it then names is the right one but in the hour the clocks change.
  const roughly = new Date(`${date}T${time}:00Z`);
  const first = offsetAt(roughly);
  const offset = offsetAt(new Date(`${date}T${time}:00${first}`));
  return `${date}T${time}:00${offset}`;
}

/**
 * When an event begins and ends. `eventDate` is the midnight its day begins with in New York, or a bare day as midnight UTC
 * (as in the frontend's `lib/format.ts`). One that ends at or before the hour it begins ends the next day.
 */
export function whenOf(event: { eventDate: string; eventStartTime: string; eventEndTime: string | null }): {
  start: string;
  end?: string;
} {
  const date = new Date(event.eventDate);
  const key = (date.getTime() % DAY_MS === 0 ? bare : here).format(date);
  const start = moment(key, event.eventStartTime);
  if (!event.eventEndTime) return { start };
  const over = event.eventEndTime <= event.eventStartTime;
  const last = over ? new Date(Date.parse(`${key}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10) : key;
  return { start, end: moment(last, event.eventEndTime) };
}
