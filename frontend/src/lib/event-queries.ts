import { Event, EventList } from '@beltway/contracts/catalog';
import { TicketStats } from '@beltway/contracts/ticketing';
import { apiQuery } from './query.ts';

/** GET /api/events */
export const eventsQuery = () => apiQuery(EventList, '/api/events');
/** GET /api/events/featured */
export const featuredEventsQuery = () => apiQuery(EventList, '/api/events', 'featured');
/** GET /api/events/:id; HttpError 404 if there is none. */
export const eventQuery = (id: number) => apiQuery(Event, '/api/events', id);
/** GET /api/tickets/stats, asked every 30 seconds (docs/product.md#home). */
export const ticketStatsQuery = () => ({ ...apiQuery(TicketStats, '/api/tickets/stats'), refetchInterval: 30_000 });
