import type { Event } from '@beltway/contracts/catalog/events';
import { isEnded, isPostponed, ticketsAvailable } from '@beltway/contracts/ticketing/sale-state';
import { currentDayOf, dayAt, startOf } from '@beltway/contracts/common/times';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

export {
  hasTag,
  isEnded,
  isFree,
  isPostponed,
  isSuspended,
  saleState,
  sellsTickets,
  ticketsAvailable,
  type SaleState,
} from '@beltway/contracts/ticketing/sale-state';

interface Status {
  status?: Event['status'];
}

const HOUR = 3_600_000;
type Dates = Pick<Event, 'eventDate' | 'eventLastDate'>;
/**
 * When an event leaves the lists, as in the catalog: at 6 AM after its last night, 30 hours after its last date begins.
 */
export const listOverAt = ({ eventDate, eventLastDate }: Dates): number =>
  Date.parse(eventLastDate ?? eventDate) + 30 * HOUR;
export const isOver = (event: Dates & Status, now: Date): boolean =>
  !isPostponed(event) && now.getTime() >= listOverAt(event);

/** The start in epoch milliseconds: the start time on the event's day, in New York. */
export const startsAt = (event: Pick<Event, 'eventDate' | 'eventStartTime'>): number => startOf(event).getTime();

/** True if buyers hold all remaining tickets: the tickets are unavailable for a few minutes, but not sold. */
export const isAllHeld = (event: Event): boolean =>
  ticketsAvailable(event) > 0 && ticketsAvailable(event) - (event.heldTickets ?? 0) <= 0;

/** "Free entry, no ticket needed" */
export const freeEntry = (): string => textsNow(texts)('freeEntry');

export const checkoutPath = ({ id }: Pick<Event, 'id'>): string => `/ticket-checkout?eventId=${id}`;
export const organizerPath = (id: number): string => `/organizer/${id}`;
export const eventPath = ({ id }: Pick<Event, 'id'>): string => `/event/${id}`;

/** Published and not ended. */
export const isUpcoming = (event: Event, now: Date): boolean => event.status === 'published' && !isEnded(event, now);

/**
 * Sorts events: soonest first, then events without a date, then past events with the latest day first. A running event
 * counts as an event of today.
 */
export function soonestFirst(events: readonly Event[], now: Date): Event[] {
  const today = dayAt(now);
  const sorted = events
    .map((event) => ({ event, day: currentDayOf(event, now) }))
    .sort(
      (one, other) =>
        one.day.localeCompare(other.day) ||
        one.event.eventStartTime.localeCompare(other.event.eventStartTime) ||
        one.event.id - other.event.id,
    );
  const dated = sorted.filter(({ event }) => !isPostponed(event));
  const over = dated.filter(({ day }) => day < today);
  // Days in descending order, hours within a day ascending.
  over.sort((one, other) => other.day.localeCompare(one.day));
  const toCome = dated.filter(({ day }) => day >= today);
  return [...toCome, ...sorted.filter(({ event }) => isPostponed(event)), ...over].map(({ event }) => event);
}

/** How many hours before its start an event counts as "happening now". */
const SOON_HOURS = 3;
/** When an event starts to count as "happening now", in epoch milliseconds. */
export const soonAt = (event: Pick<Event, 'eventDate' | 'eventStartTime'>): number =>
  startsAt(event) - SOON_HOURS * HOUR;
/** True for the promotion levels that include the badge and the top of 'Happening Now' (frontend/PRODUCT.md#home). */
export const isPremium = ({ promotionLevel }: Pick<Event, 'promotionLevel'>): boolean =>
  promotionLevel === 'premium' || promotionLevel === 'livestream';

/** Events that are on or start within three hours: premium promotions first, each group sorted by start. */
export function happeningNow(events: readonly Event[], now: Date): Event[] {
  return events
    .filter((event) => event.eventDate !== '' && isUpcoming(event, now) && soonAt(event) <= now.getTime())
    .sort((one, other) => Number(isPremium(other)) - Number(isPremium(one)) || startsAt(one) - startsAt(other));
}
