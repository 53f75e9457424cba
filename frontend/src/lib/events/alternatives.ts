import { categoryOf } from '@beltway/contracts/catalog/categories';
import type { Event } from '@beltway/contracts/catalog/events';
import { isAllHeld, saleState, startsAt } from './event-facts.ts';

const DAY_MS = 24 * 3_600_000;
/**
 * A price difference of `DOLLARS_PER_DAY` counts as much as one day between the starts; another category counts as much
 * as `OTHER_CATEGORY_DAYS`.
 */
const DOLLARS_PER_DAY = 10;
const OTHER_CATEGORY_DAYS = 2;

/** Alternatives to this event whose tickets can be bought now, nearest in time, price and category first. */
export function alternativesTo(event: Event, events: readonly Event[], now: Date): Event[] {
  // For an event that is over or has no date, the soonest alternatives count as the nearest.
  const start = Math.max(startsAt(event) || 0, now.getTime());
  const category = categoryOf(event.tags).name;
  const price = Number(event.ticketPrice ?? 0);
  const distance = (other: Event) =>
    Math.abs(startsAt(other) - start) / DAY_MS +
    Math.abs(Number(other.ticketPrice) - price) / DOLLARS_PER_DAY +
    (categoryOf(other.tags).name === category ? 0 : OTHER_CATEGORY_DAYS);
  return events
    .filter((other) => other.id !== event.id && saleState(other, now) === 'on-sale' && !isAllHeld(other))
    .map((other) => ({ other, far: distance(other) }))
    .sort((one, two) => one.far - two.far || one.other.id - two.other.id)
    .map(({ other }) => other);
}
