import { EventPage, type Event } from '@beltway/contracts/catalog/events';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { get } from '../http/http.ts';

/** GET /api/events with search parameters, page by page. The last results stay until new results arrive. */
const searchQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/events', 'search', search],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : '';
      return get(`/api/events?${search}${cursor}`, EventPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

const TYPING_MS = 180;

/** The search, debounced while the user types words. Any other change applies immediately. */
export function useSettled(params: URLSearchParams): string {
  const search = params.toString();
  const [settled, setSettled] = useState(search);
  const withoutWords = (text: string) => {
    const rest = new URLSearchParams(text);
    rest.delete('q');
    return rest.toString();
  };
  const isTyping = search !== settled && withoutWords(search) === withoutWords(settled) && params.has('q');
  useEffect(() => {
    if (search === settled) return;
    const timer = setTimeout(() => setSettled(search), TYPING_MS);
    return () => clearTimeout(timer);
  }, [search, settled]);
  return isTyping ? settled : search;
}

/** The loaded events of a search, without duplicates. All views of the home page show these. */
export function useEventSearch(
  params: URLSearchParams,
  limit: number,
  options: { enabled?: boolean; refetchInterval?: number } = {},
) {
  const search = useSettled(params);
  const withLimit = new URLSearchParams(search);
  withLimit.set('limit', String(limit));
  const query = useInfiniteQuery({ ...searchQuery(withLimit.toString()), ...options });
  const { data } = query;
  const events = useMemo(() => {
    const found = new Map<number, Event>();
    for (const page of data?.pages ?? []) for (const event of page.items) found.set(event.id, event);
    return [...found.values()];
  }, [data]);
  return { ...query, events, isStale: query.isPlaceholderData || search !== params.toString() };
}

/** The API's largest page. */
const LARGEST_PAGE = 100;

/**
 * The events of a search, loaded page by page up to `most`; `fetchNextPage` loads more. `isWhole`: all matching events
 * are loaded. Without a search the list is empty.
 */
export function useWholeSearch(search: URLSearchParams | null, most: number, refetchInterval?: number) {
  const found = useEventSearch(search ?? new URLSearchParams(), LARGEST_PAGE, {
    enabled: search !== null,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const { events, hasNextPage, isFetching, isStale, isError, fetchNextPage } = found;
  const isLoadingOn = hasNextPage && !isStale && !isError && events.length < most;
  const loaded = isLoadingOn && !isFetching ? found.data?.pages.length : undefined;
  useEffect(() => {
    if (loaded !== undefined) void fetchNextPage();
  }, [loaded, fetchNextPage]);
  if (search === null)
    return { ...found, events: [], isPending: false, isStale: false, isLoadingOn: false, isWhole: true };
  return { ...found, isLoadingOn, isWhole: found.data !== undefined && !isStale && !hasNextPage };
}
