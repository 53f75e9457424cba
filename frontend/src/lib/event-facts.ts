import type { Event } from '@beltway/contracts/catalog';
import { dayAt, dayOf, hasEnded, startOf, type EventHours } from '@beltway/contracts/times';
import { serverNow } from './server-clock.ts';

/** Total minus sold, each nothing if unknown (docs/product.md#event-cards). */
export const ticketsAvailable = ({ totalTickets, soldTickets }: Pick<Event, 'totalTickets' | 'soldTickets'>): number =>
  Math.max(0, (totalTickets ?? 0) - (soldTickets ?? 0));

/** Tickets are sold for it at all: the first condition of the primary button. */
export const sellsTickets = (event: Event): event is Event & { ticketPrice: string } =>
  event.hasTickets && event.ticketSalesEnabled && Boolean(event.ticketPrice);

interface Status {
  status?: Event['status'];
}
/** It has no date for now: the one it names is past, or not its own any more. */
export const isPostponed = ({ status }: Status): boolean => status === 'postponed';

const HOUR = 3_600_000;
/** As in the catalog's list: the night of an event ends at six the next morning, 30 hours after its date begins. */
export const isOver = (event: Pick<Event, 'eventDate'> & Status, now = new Date()): boolean =>
  !isPostponed(event) && now.getTime() >= Date.parse(event.eventDate) + 30 * HOUR;

/** Its hours are over: it sells nothing any more, though tonight's list still shows it. */
export const isEnded = (event: EventHours & Status, now = new Date()): boolean =>
  event.eventDate !== '' && !isPostponed(event) && hasEnded(event, now);

/** The moment it begins: the clock of its start time on its day in New York. */
export const startsAt = (event: Pick<Event, 'eventDate' | 'eventStartTime'>): number => startOf(event).getTime();

export type SaleState = 'none' | 'on-sale' | 'sold-out' | 'not-yet' | 'postponed' | 'ended';

/** Whether tickets can be had now, by the server's clock. `ended` also when the event has ended or is cancelled. */
export function saleState(event: Event, now = new Date(serverNow())): SaleState {
  if (!sellsTickets(event)) return 'none';
  if (isPostponed(event)) return 'postponed';
  const { ticketSalesStartTime: start, ticketSalesEndTime: end, status } = event;
  if (status === 'cancelled' || isEnded(event, now) || (end && new Date(end) <= now)) return 'ended';
  if (ticketsAvailable(event) === 0) return 'sold-out';
  return start && new Date(start) > now ? 'not-yet' : 'on-sale';
}

/** What is left is in other buyers' hands: not sold, but not to be had for some minutes. */
export const isAllHeld = (event: Event): boolean =>
  ticketsAvailable(event) > 0 && ticketsAvailable(event) - (event.heldTickets ?? 0) <= 0;

export const hasTag = (event: Pick<Event, 'tags'>, tag: string): boolean =>
  event.tags.some((own) => plainTag(own) === plainTag(tag));
const plainTag = (tag: string): string => tag.replace(/^#/, '').toLowerCase();

export const FREE_ENTRY = 'Free entry, no ticket needed';
/** One comes by, and needs nothing from here. */
export const isFree = (event: Event): boolean =>
  !sellsTickets(event) && hasTag(event, '#free') && event.status === 'published' && !isEnded(event);

export const checkoutPath = ({ id }: Pick<Event, 'id'>): string => `/ticket-checkout?eventId=${id}`;
export const organizerPath = (id: number): string => `/organizer/${id}`;
export const eventPath = ({ id }: Pick<Event, 'id'>): string => `/event/${id}`;

/** It is on the programme and has not ended. */
export const isUpcoming = (event: Event, now = new Date()): boolean =>
  event.status === 'published' && !isEnded(event, now);

/** Soonest first, then what has no date; days that are over come last, the latest of them first. */
export function soonestFirst(events: readonly Event[], now = new Date()): Event[] {
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
/** The promotion levels that stand at the top of 'Happening Now' (docs/product.md#home). */
export const isPremium = ({ promotionLevel }: Event): boolean =>
  promotionLevel === 'premium' || promotionLevel === 'livestream';

/** What is on now or starts within three hours; premium promotions first, then by start. */
export function happeningNow(events: readonly Event[], now = new Date()): Event[] {
  const soon = now.getTime() + SOON_HOURS * HOUR;
  return events
    .filter((event) => event.eventDate !== '' && isUpcoming(event, now) && startsAt(event) <= soon)
    .sort((one, other) => Number(isPremium(other)) - Number(isPremium(one)) || startsAt(one) - startsAt(other));
}
