import { Event, EventList } from '@beltway/contracts/catalog/events';
import { Following, Organizer, OrganizerEvents } from '@beltway/contracts/catalog/organizers';
import type { PromotedPlace } from '@beltway/contracts/catalog/promoted-places';
import { TicketStats } from '@beltway/contracts/catalog/stats';
import { apiQuery } from '../http/query.ts';

/** What others announce stands in these: asked again when shown again, not each time. */
const CHANGED_ELSEWHERE_MS = 30_000;

/** GET /api/events */
export const eventsQuery = () => apiQuery(EventList, '/api/events');
/** GET /api/events/featured, /premium: what has a place that was paid for, as its turn is now. */
export const promotedEventsQuery = (place: PromotedPlace) => apiQuery(EventList, '/api/events', place);
/** GET /api/events/:id; HttpError 404 if there is none. */
export const eventQuery = (id: number) => apiQuery(Event, '/api/events', id);
/** GET /api/events/:id/similar */
export const similarEventsQuery = (id: number) => apiQuery(EventList, '/api/events', id, 'similar');
/** GET /api/events/:id/dates */
export const otherDatesQuery = (id: number) => apiQuery(EventList, '/api/events', id, 'dates');
/** GET /api/users/:id/events: the own ones. Asked for anew where they are shown: views and likes come without a word from the server. */
export const ownEventsQuery = (userId: number) => ({
  ...apiQuery(EventList, '/api/users', userId, 'events'),
  staleTime: 0,
});
/** GET /api/organizers/:id; HttpError 404 for an account without an event. */
export const organizerQuery = (id: number) => apiQuery(Organizer, '/api/organizers', id);
/** GET /api/organizers/:id/events */
export const organizerEventsQuery = (id: number) => ({
  ...apiQuery(OrganizerEvents, '/api/organizers', id, 'events'),
  staleTime: CHANGED_ELSEWHERE_MS,
});
/** GET /api/me/following, for who is signed in. */
export const followingQuery = () => ({ ...apiQuery(Following, '/api/me/following'), staleTime: CHANGED_ELSEWHERE_MS });
/** GET /api/tickets/stats, asked every 30 seconds (frontend/PRODUCT.md#home). */
export const ticketStatsQuery = () => ({ ...apiQuery(TicketStats, '/api/tickets/stats'), refetchInterval: 30_000 });
