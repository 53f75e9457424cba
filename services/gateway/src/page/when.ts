import { saidEndOf, startOf, zonedText, type EventHours } from '@beltway/contracts/common/times';

/** When an event begins and ends, as search engines want it: the clocks where it takes place, with their offset. */
export function whenOf(event: EventHours): { start: string; end?: string } {
  const end = saidEndOf(event);
  return { start: zonedText(startOf(event)), ...(end && { end: zonedText(end) }) };
}
