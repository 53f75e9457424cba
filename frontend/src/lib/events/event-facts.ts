import type { Event } from '@beltway/contracts/catalog/events';
import { isEnded, isPostponed, ticketsAvailable } from '@beltway/contracts/ticketing/sale-state';
import { dayAt, dayOf, startOf } from '@beltway/contracts/common/times';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

export {
  hasTag,
  isEnded,
  isFree,
  isPostponed,
  saleState,
  sellsTickets,
  ticketsAvailable,
  type SaleState,
} from '@beltway/contracts/ticketing/sale-state';

interface Status {
  status?: Event['status'];
}

const HOUR = 3_600_000;
/** As in the catalog's list: the night of an event ends at six the next morning, 30 hours after its date begins. */
export const listOverAt = (event: Pick<Event, 'eventDate'>): number => Date.parse(event.eventDate) + 30 * HOUR;
export const isOver = (event: Pick<Event, 'eventDate'> & Status, now: Date): boolean =>
  !isPostponed(event) && now.getTime() >= listOverAt(event);

/** The moment it begins: the clock of its start time on its day in New York. */
export const startsAt = (event: Pick<Event, 'eventDate' | 'eventStartTime'>): number => startOf(event).getTime();

/** What is left is in other buyers' hands: not sold, but not to be had for some minutes. */
export const isAllHeld = (event: Event): boolean =>
  ticketsAvailable(event) > 0 && ticketsAvailable(event) - (event.heldTickets ?? 0) <= 0;

/** "Free entry, no ticket needed" */
export const freeEntry = (): string => textsNow(texts)('freeEntry');

export const checkoutPath = ({ id }: Pick<Event, 'id'>): string => `/ticket-checkout?eventId=${id}`;
export const organizerPath = (id: number): string => `/organizer/${id}`;
export const eventPath = ({ id }: Pick<Event, 'id'>): string => `/event/${id}`;

/** It is on the programme and has not ended. */
export const isUpcoming = (event: Event, now: Date): boolean => event.status === 'published' && !isEnded(event, now);

/** Soonest first, then what has no date; days that are over come last, the latest of them first. */
export function soonestFirst(events: readonly Event[], now: Date): Event[] {
  const today = dayAt(now);
  const sorted = events
    .map((event) => ({ event, day: dayOf(event.eventDate) }))
    .sort(
      (one, other) =>
        one.day.localeCompare(other.day) ||
        one.event.eventStartTime.localeCompare(other.event.eventStartTime) ||
        one.event.id - other.event.id,
    );
  const dated = sorted.filter(({ event }) => !isPostponed(event));
  const over = dated.filter(({ day }) => day < today);
  // The days backwards, the hours of a day forwards.
  over.sort((one, other) => other.day.localeCompare(one.day));
  const toCome = dated.filter(({ day }) => day >= today);
  return [...toCome, ...sorted.filter(({ event }) => isPostponed(event)), ...over].map(({ event }) => event);
}

/** Within so long what has not begun is as good as begun: one can still go. */
const SOON_HOURS = 3;
/** From then on it is as good as begun. */
export const soonAt = (event: Pick<Event, 'eventDate' | 'eventStartTime'>): number =>
  startsAt(event) - SOON_HOURS * HOUR;
/** The promotion levels that have the badge and the top of 'Happening Now' (frontend/PRODUCT.md#home). */
export const isPremium = ({ promotionLevel }: Pick<Event, 'promotionLevel'>): boolean =>
  promotionLevel === 'premium' || promotionLevel === 'livestream';

/** What is on now or starts within three hours; premium promotions first, then by start. */
export function happeningNow(events: readonly Event[], now: Date): Event[] {
  return events
    .filter((event) => event.eventDate !== '' && isUpcoming(event, now) && soonAt(event) <= now.getTime())
    .sort((one, other) => Number(isPremium(other)) - Number(isPremium(one)) || startsAt(one) - startsAt(other));
}
