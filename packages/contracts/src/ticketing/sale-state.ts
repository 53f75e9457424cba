// No zod here: the home page is made with it, by its script and by the gateway.
import type { Event } from '../catalog/events.ts';
import { hasEnded, type EventHours } from '../common/times.ts';

interface Status {
  status?: Event['status'];
}

/** Total minus sold, each nothing if unknown (frontend/PRODUCT.md#event-cards). */
export const ticketsAvailable = ({ totalTickets, soldTickets }: Pick<Event, 'totalTickets' | 'soldTickets'>): number =>
  Math.max(0, (totalTickets ?? 0) - (soldTickets ?? 0));

/** Tickets are sold for it at all: the first condition of the primary button. */
export const sellsTickets = (event: Event): event is Event & { ticketPrice: string } =>
  event.hasTickets && event.ticketSalesEnabled && Boolean(event.ticketPrice);

/** It has no date for now: the one it names is past, or not its own any more. */
export const isPostponed = ({ status }: Status): boolean => status === 'postponed';

/** Its hours are over: it sells nothing any more, though tonight's list still shows it. */
export const isEnded = (event: EventHours & Status, now: Date): boolean =>
  event.eventDate !== '' && !isPostponed(event) && hasEnded(event, now);

export type SaleState = 'none' | 'on-sale' | 'sold-out' | 'not-yet' | 'postponed' | 'ended';

/** Whether tickets can be had. `ended` also when the event has ended or is canceled. */
export function saleState(event: Event, now: Date): SaleState {
  if (!sellsTickets(event)) return 'none';
  if (isPostponed(event)) return 'postponed';
  const { ticketSalesStartTime: start, ticketSalesEndTime: end, status } = event;
  if (status === 'canceled' || isEnded(event, now) || (end && new Date(end) <= now)) return 'ended';
  if (ticketsAvailable(event) === 0) return 'sold-out';
  return start && new Date(start) > now ? 'not-yet' : 'on-sale';
}

const plainTag = (tag: string): string => tag.replace(/^#/, '').toLowerCase();
export const hasTag = (event: Pick<Event, 'tags'>, tag: string): boolean =>
  event.tags.some((own) => plainTag(own) === plainTag(tag));

/** One comes by, and needs nothing from here. */
export const isFree = (event: Event, now: Date): boolean =>
  !sellsTickets(event) && hasTag(event, '#free') && event.status === 'published' && !isEnded(event, now);
