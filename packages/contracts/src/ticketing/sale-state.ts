// No zod here: the home page uses this file in its script and in the gateway's rendering.
import type { Event } from '../catalog/events.ts';
import { hasEnded, type EventHours } from '../common/times.ts';

interface Status {
  status?: Event['status'];
}

/** True if moderators suspended the event or its organizer. The event's sale is then closed for now. */
export const isSuspended = ({ isSuspended: is }: Pick<Event, 'isSuspended'>): boolean => is === true;

/** Total minus sold. Unknown numbers count as zero (frontend/PRODUCT.md#event-cards). */
export const ticketsAvailable = ({ totalTickets, soldTickets }: Pick<Event, 'totalTickets' | 'soldTickets'>): number =>
  Math.max(0, (totalTickets ?? 0) - (soldTickets ?? 0));

/** True if the event sells tickets. This is the first condition of the primary button. */
export const sellsTickets = (event: Event): event is Event & { ticketPrice: string } =>
  event.hasTickets && event.ticketSalesEnabled && Boolean(event.ticketPrice);

/** True if the event has no date now; `eventDate` is its former date. */
export const isPostponed = ({ status }: Status): boolean => status === 'postponed';

/** True once the event is over. Then its sale is closed, although tonight's list still contains the event. */
export const isEnded = (event: EventHours & Status, now: Date): boolean =>
  event.eventDate !== '' && !isPostponed(event) && hasEnded(event, now);

export type SaleState = 'none' | 'on-sale' | 'sold-out' | 'not-yet' | 'postponed' | 'suspended' | 'ended';

/** The state of an event's ticket sale. `ended` also means that the event is over or canceled. */
export function saleState(event: Event, now: Date): SaleState {
  if (!sellsTickets(event)) return 'none';
  const { ticketSalesStartTime: start, ticketSalesEndTime: end, status } = event;
  if (isSuspended(event) && status !== 'canceled' && !isEnded(event, now)) return 'suspended';
  if (isPostponed(event)) return 'postponed';
  if (status === 'canceled' || isEnded(event, now) || (end && new Date(end) <= now)) return 'ended';
  if (ticketsAvailable(event) === 0) return 'sold-out';
  return start && new Date(start) > now ? 'not-yet' : 'on-sale';
}

const plainTag = (tag: string): string => tag.replace(/^#/, '').toLowerCase();
export const hasTag = (event: Pick<Event, 'tags'>, tag: string): boolean =>
  event.tags.some((own) => plainTag(own) === plainTag(tag));

/** True if entry is free without a ticket, which only the organizer can state. The tag `#free` is not enough. */
export const isFree = (event: Event, now: Date): boolean =>
  !sellsTickets(event) && event.freeEntry === true && event.status === 'published' && !isEnded(event, now);
