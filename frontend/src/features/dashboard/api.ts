import type { Event } from '@beltway/contracts/catalog/events';
import { AttendeePage, SalesList, type EventSales } from '@beltway/contracts/ticketing/tickets';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { saveFile } from '../../lib/browser/save-file.ts';

/** services/ticketing/PRODUCT.md#sales-figures */
const POLL_MS = 30_000;

/** What the own events have sold; requested again every 30 seconds, and when the stock of one that is watched changes (`useStock`). */
export const salesQuery = () => ({
  ...apiQuery(SalesList, '/api/tickets/sales'),
  staleTime: 0,
  refetchInterval: POLL_MS,
});

export const attendeesQuery = (eventId: number, search: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/events', eventId, 'attendees', search],
    queryFn: ({ pageParam, signal }) =>
      get(
        `/api/events/${eventId}/attendees?${new URLSearchParams({
          ...(search && { search }),
          ...(pageParam && { after: pageParam }),
        }).toString()}`,
        AttendeePage,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

export async function saveAttendees(eventId: number): Promise<void> {
  await get(`/api/events/${eventId}/attendees?limit=1`, AttendeePage); // renews a session that has run out
  await saveFile(`/api/events/${eventId}/attendees.csv`, `attendees-${eventId}.csv`);
}

/** Newest first, as they were put up. */
export const byCreation = (one: Event, other: Event): number =>
  Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id;

export const sumOf = (sales: readonly EventSales[], part: 'revenue' | 'share' | 'tickets'): number =>
  sales.reduce((sum, one) => sum + Math.round(one[part] * 100), 0) / 100;
