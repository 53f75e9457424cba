import { Event, EventList } from '@beltway/contracts/catalog/events';
import { Following, Organizer, OrganizerEvents, Organizing } from '@beltway/contracts/catalog/organizers';
import type { PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import { TicketStats } from '@beltway/contracts/catalog/stats';
import { apiQuery } from '../http/query.ts';

/**
 * What other accounts change is refetched on mount if it is older than this. A page that watches an event again gets
 * only the changes of stock of the last two minutes.
 */
const CHANGED_ELSEWHERE_MS = 30_000;

/** GET /api/events */
export const eventsQuery = () => apiQuery(EventList, '/api/events');
/** GET /api/events/featured, /premium: events with a paid promotion, in the current rotation. */
export const promotedEventsQuery = (place: PromotedPlace) => apiQuery(EventList, '/api/events', place);
/** GET /api/events/:id; rejects with HttpError 404 if there is no such event. */
export const eventQuery = (id: number) => ({
  ...apiQuery(Event, '/api/events', id),
  staleTime: CHANGED_ELSEWHERE_MS,
});
/** GET /api/events/:id/similar */
export const similarEventsQuery = (id: number) => apiQuery(EventList, '/api/events', id, 'similar');
/** GET /api/events/:id/dates */
export const otherDatesQuery = (id: number) => apiQuery(EventList, '/api/events', id, 'dates');
/**
 * GET /api/users/:id/events: a user's own events. Refetched on mount, because the server does not announce views and
 * likes.
 */
export const ownEventsQuery = (userId: number) => ({
  ...apiQuery(EventList, '/api/users', userId, 'events'),
  staleTime: 0,
});
/** GET /api/organizers/:id; rejects with HttpError 404 for an account without an event. */
export const organizerQuery = (id: number) => apiQuery(Organizer, '/api/organizers', id);
/** GET /api/organizers/:id/events */
export const organizerEventsQuery = (id: number) => ({
  ...apiQuery(OrganizerEvents, '/api/organizers', id, 'events'),
  staleTime: CHANGED_ELSEWHERE_MS,
});
/** GET /api/me/organizer, while signed in: how many events the account has launched. */
export const organizingQuery = () => apiQuery(Organizing, '/api/me/organizer');
/** GET /api/me/following, while signed in. */
export const followingQuery = () => ({ ...apiQuery(Following, '/api/me/following'), staleTime: CHANGED_ELSEWHERE_MS });
/** GET /api/tickets/stats, polled every 30 seconds (frontend/PRODUCT.md#home). */
export const ticketStatsQuery = () => ({ ...apiQuery(TicketStats, '/api/tickets/stats'), refetchInterval: 30_000 });
