import { daysOfEvent, saidEndOf, startOf, zonedText, type EventHours } from '@beltway/contracts/common/times';

/** The time when an event begins and ends, in the format of search engines: local time with its UTC offset. */
export function whenOf(event: EventHours): { start: string; end?: string } {
  const saidEnd = saidEndOf(event);
  // For an event of several days, the last day is known even if the event has no end time.
  const { first, last } = daysOfEvent(event);
  const end = saidEnd ? zonedText(saidEnd) : first < last ? last : undefined;
  return { start: zonedText(startOf(event)), ...(end && { end }) };
}
