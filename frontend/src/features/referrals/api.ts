import { FlaggedReferrals, ReferralsPage } from '@beltway/contracts/referrals';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ZodType } from 'zod';
import { get } from '../../lib/http.ts';

/** They change without a word from the server: asked for anew where they are shown. */
const pagesOf = <Page extends { nextCursor: string | null }>(path: string, schema: ZodType<Page>) =>
  infiniteQueryOptions({
    queryKey: [path] as const,
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      get(`${path}${pageParam && `?cursor=${pageParam}`}`, schema, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

/** GET /api/referrals, page after page: one's code and link, and whom one referred. */
export const referralsQuery = () => pagesOf('/api/referrals', ReferralsPage);

/** GET /api/referrals/flagged, page after page, for admins. */
export const flaggedQuery = () => pagesOf('/api/referrals/flagged', FlaggedReferrals);
