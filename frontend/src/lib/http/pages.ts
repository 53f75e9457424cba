import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ZodType } from 'zod';
import { get } from './http.ts';

/**
 * A paged list, `{ items, nextCursor }`: GET `path`. Empty parameters are not sent; the key begins with the path. The
 * server does not announce changes, so the list is refetched on mount.
 */
export const pagesQuery = <Page extends { nextCursor: string | null }>(
  schema: ZodType<Page>,
  path: string,
  parameters: Record<string, string | undefined> = {},
) =>
  infiniteQueryOptions({
    queryKey: [path, parameters] as const,
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const given = Object.entries({ ...parameters, cursor: pageParam }).filter(([, value]) => value) as [
        string,
        string,
      ][];
      return get(`${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`, schema, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
