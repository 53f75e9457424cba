import { HOUR_MS, instantOf, saidEndOf, startOf, zonedText, type EventHours } from './times.ts';

const clockOf = (instant: Date): string => zonedText(instant).slice(11, 16);

/**
 * What New York's clocks make of a time on a day when they change: skipped in spring, when they show `clock` at that moment, or shown twice in
 * autumn, when the first counts. Null on every other day.
 */
export function clockChangeAt(day: string, time: string): { kind: 'skipped' | 'twice'; clock: string } | null {
  const instant = instantOf(day, time);
  const clock = clockOf(instant);
  if (clock !== time) return { kind: 'skipped', clock };
  return clockOf(new Date(instant.getTime() + HOUR_MS)) === time ? { kind: 'twice', clock } : null;
}

/** An event with the hours that New York's clocks show at its moments: a time that they skip in spring is an hour later. */
export function onTheClocks<Event extends EventHours>(event: Event): Event {
  const end = saidEndOf(event);
  return { ...event, eventStartTime: clockOf(startOf(event)), ...(end && { eventEndTime: clockOf(end) }) };
}
