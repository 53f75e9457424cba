import type { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { eventsQuery } from '../../lib/event-queries.ts';
import { useEventSearch } from '../../lib/event-search.ts';
import { isFiltering, type EventFilter } from './filter.ts';

/** As many as a view without pages shows at once: what one answer holds. */
const MOST = 100;

/** The events that a view without pages shows, a calendar or a map: all of the list, or the first hundred that a filter finds. */
export function useViewEvents(filter: EventFilter, search: URLSearchParams) {
  const filtering = isFiltering(filter);
  const list = useQuery({ ...eventsQuery(), enabled: !filtering });
  const found = useEventSearch(search, MOST, filtering);
  const { error, isPending, isFetching, refetch } = filtering ? found : list;
  const data: readonly Event[] | undefined = filtering ? (found.data ? found.events : undefined) : list.data;
  return { data, error, isPending, isFetching, refetch };
}
