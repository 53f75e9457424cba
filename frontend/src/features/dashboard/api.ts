import type { Event } from '@beltway/contracts/catalog/events';
import { OwnSales } from '@beltway/contracts/payments/platform';
import { AttendeePage, type EventSales } from '@beltway/contracts/ticketing/tickets';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { isEnded, isPostponed, isUpcoming, soonestFirst } from '../../lib/events/event-facts.ts';
import { get } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { saveFile } from '../../lib/browser/save-file.ts';

/** The account's ticket sales on each day of the last two weeks. */
export const salesDaysQuery = () => ({ ...apiQuery(OwnSales, '/api/me/sales'), staleTime: 0 });

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
  await get(`/api/events/${eventId}/attendees?limit=1`, AttendeePage); // renews an expired session
  await saveFile(`/api/events/${eventId}/attendees.csv`, `attendees-${eventId}.csv`);
}

/** The event that takes place next; undefined if none is upcoming. */
export const nextOf = (events: readonly Event[], now: Date): Event | undefined =>
  soonestFirst(events, now).find((event) => isUpcoming(event, now));

/** True for an event that is over or canceled. A postponed event counts as upcoming. */
export const isPast = (event: Event, now: Date): boolean =>
  event.status === 'canceled' || (!isPostponed(event) && isEnded(event, now));

/** Sorts events by their time of creation, newest first. */
export const byCreation = (one: Event, other: Event): number =>
  Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id;

export const sumOf = (sales: readonly EventSales[], part: 'revenue' | 'share' | 'tickets'): number =>
  sales.reduce((sum, one) => sum + Math.round(one[part] * 100), 0) / 100;
