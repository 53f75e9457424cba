import { HOUR_MS, instantOf, saidEndOf, startOf, zonedText, type EventHours } from './times.ts';

const clockOf = (instant: Date): string => zonedText(instant).slice(11, 16);

/**
 * How New York's clock change affects a time on this day. `skipped`: the time does not exist in spring, and clocks show
 * `clock` at that instant. `twice`: the time occurs twice in autumn, and the first occurrence counts. null: the time
 * occurs once.
 */
export function clockChangeAt(day: string, time: string): { kind: 'skipped' | 'twice'; clock: string } | null {
  const instant = instantOf(day, time);
  const clock = clockOf(instant);
  if (clock !== time) return { kind: 'skipped', clock };
  return clockOf(new Date(instant.getTime() + HOUR_MS)) === time ? { kind: 'twice', clock } : null;
}

/**
 * Returns the event with the hours that clocks in New York show: a time that is skipped in spring moves one hour later.
 * The event keeps its instants. So an end on the next day keeps its hour if a later hour would be after the start: from
 * Saturday, 2:30 AM, to Sunday, 2:15 AM.
 */
export function onTheClocks<Event extends EventHours>(event: Event): Event {
  const end = saidEndOf(event);
  const shown = { ...event, eventStartTime: clockOf(startOf(event)) };
  const moved = { ...shown, ...(end && { eventEndTime: clockOf(end) }) };
  return saidEndOf(moved)?.getTime() === end?.getTime() ? moved : shown;
}
