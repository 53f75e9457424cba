import { QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query';
import type { ZodType } from 'zod';
import { get } from './http.ts';

/** ['/api/events', 7] → "/api/events/7" (frontend/PRODUCT.md#the-pages-queries). */
export const pathOf = (key: QueryKey): string => key.map(String).join('/');

/**
 * A query of one path, parsed by its contract. The key's parts, joined with slashes, are the path, so that invalidating
 * a prefix of the key covers all paths below it.
 */
export const apiQuery = <T>(schema: ZodType<T>, ...key: (string | number)[]) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => get(pathOf(key), schema, { signal }) });

/** The defaults of frontend/PRODUCT.md#the-pages-queries: no retry, no automatic refetch, data never becomes stale. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => get(pathOf(queryKey), undefined, { signal }),
        retry: false,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        // Offline, a query fails with a visible error and a retry button instead of showing a skeleton forever.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
