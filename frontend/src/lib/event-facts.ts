import type { Event } from '@beltway/contracts/catalog';
import { dayKey } from './format.ts';

/** Total minus sold, each nothing if unknown (specification 1, section 3). */
export const ticketsAvailable = ({ totalTickets, soldTickets }: Pick<Event, 'totalTickets' | 'soldTickets'>): number =>
  Math.max(0, (totalTickets ?? 0) - (soldTickets ?? 0));

/** Tickets are sold for it at all: the first condition of the primary button. */
export const sellsTickets = (event: Event): event is Event & { ticketPrice: string } =>
  event.hasTickets && event.ticketSalesEnabled && Boolean(event.ticketPrice);

/** Its last day, in the events' zone, has passed. */
export const isOver = (event: Pick<Event, 'eventDate'>, now = new Date()): boolean =>
  Boolean(event.eventDate) && dayKey(event.eventDate) < dayKey(now);

export type SaleState = 'none' | 'on-sale' | 'sold-out' | 'not-yet' | 'ended';

/** Whether tickets can be had now. `ended` also when the event is over or cancelled. */
export function saleState(event: Event, now = new Date()): SaleState {
  if (!sellsTickets(event)) return 'none';
  const { ticketSalesStartTime: start, ticketSalesEndTime: end, status } = event;
  if (status === 'cancelled' || isOver(event, now) || (end && new Date(end) <= now)) return 'ended';
  if (ticketsAvailable(event) === 0) return 'sold-out';
  return start && new Date(start) > now ? 'not-yet' : 'on-sale';
}

/** What is left is in other buyers' hands: not sold, but not to be had for some minutes. */
export const isAllHeld = (event: Event): boolean =>
  ticketsAvailable(event) > 0 && ticketsAvailable(event) - (event.heldTickets ?? 0) <= 0;

export const hasTag = (event: Pick<Event, 'tags'>, tag: string): boolean =>
  event.tags.some((own) => plainTag(own) === plainTag(tag));
const plainTag = (tag: string): string => tag.replace(/^#/, '').toLowerCase();

export const checkoutPath = ({ id }: Pick<Event, 'id'>): string => `/ticket-checkout?eventId=${id}`;
export const eventPath = ({ id }: Pick<Event, 'id'>): string => `/event/${id}`;
