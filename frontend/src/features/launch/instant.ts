import { ZONE } from '../../lib/format.ts';

const parts = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** What the clocks of the events' zone show at this instant, as if it were UTC. */
function wallClock(instant: number): number {
  const value = Object.fromEntries(parts.formatToParts(instant).map(({ type, value: text }) => [type, Number(text)]));
  return Date.UTC(value['year'] ?? 0, (value['month'] ?? 1) - 1, value['day'], value['hour'], value['minute']);
}

/** "2026-11-28" and "19:00" in the events' zone, as an instant; wherever the organiser sits. */
export function instantOf(day: string, time: string): Date {
  const wanted = Date.parse(`${day}T${time || '00:00'}:00Z`);
  const guess = wanted - (wallClock(wanted) - wanted);
  // A second look, for the nights when the clocks change.
  return new Date(guess + (wanted - wallClock(guess)));
}
