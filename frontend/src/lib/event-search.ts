import { EventPage, type Event } from '@beltway/contracts/catalog';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { get } from './http.ts';

/** GET /api/events with the parameters of a search, page by page. What was found last stays until there is something new. */
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

/** The search once nobody has typed for a moment; at once when something else than its words changed. */
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

/** The events of a search, as far as they were loaded, each once. All views of the home page show these. */
export function useEventSearch(params: URLSearchParams, limit: number, enabled = true) {
  const search = useSettled(params);
  const withLimit = new URLSearchParams(search);
  withLimit.set('limit', String(limit));
  const query = useInfiniteQuery({ ...searchQuery(withLimit.toString()), enabled });
  const { data } = query;
  const events = useMemo(() => {
    const found = new Map<number, Event>();
    for (const page of data?.pages ?? []) for (const event of page.items) found.set(event.id, event);
    return [...found.values()];
  }, [data]);
  return { ...query, events, isStale: query.isPlaceholderData || search !== params.toString() };
}
