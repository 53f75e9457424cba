import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { reviewsQuery } from '../features/ads/api.ts';
import { messagesQuery } from '../features/contact/api.ts';
import { alertsQuery, isDispute } from '../features/disputes/api.ts';
import { requestsQuery, toCheckQuery as photosQuery } from '../features/gallery/api.ts';
import { queueQuery } from '../features/moderation/api.ts';
import { reportedQuery } from '../features/thread/comments-api.ts';
import { toCheckQuery as videosQuery } from '../features/top-picks/api.ts';
import { formatCount } from '../lib/i18n/format.ts';

/** The number of items in a queue, counted on its first page. `isMore`: there are further pages. */
interface Waiting {
  count: number;
  isMore: boolean;
}

/** Refetched regularly, because other admins also work on the queues. */
const LIVE = { staleTime: 30_000, refetchInterval: 60_000 };

function counted<Page>(
  found: { data: { pages: Page[] } | undefined; hasNextPage: boolean },
  itemsOf: (page: Page) => readonly unknown[],
): Waiting | undefined {
  return found.data && { count: found.data.pages.flatMap(itemsOf).length, isMore: found.hasNextPage };
}

/** Sum of the parts; undefined while one part is unknown. */
function sumOf(parts: ReadonlyArray<Waiting | undefined>): Waiting | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return { count: known.reduce((sum, { count }) => sum + count, 0), isMore: known.some(({ isMore }) => isMore) };
}

/** "3", "20+" */
export const waitingText = ({ count, isMore }: Waiting): string => `${formatCount(count)}${isMore ? '+' : ''}`;

/**
 * The number of items that wait for admins in each queue; undefined while unknown. Uses the queries of the queues' own
 * pages, so that a decision there changes the number here. Only for admins.
 */
export function useWaiting() {
  const items = (page: { items: readonly unknown[] }) => page.items;
  const open = counted(useInfiniteQuery({ ...queueQuery('open', ''), ...LIVE }), items);
  const appealed = counted(useInfiniteQuery({ ...queueQuery('appealed', ''), ...LIVE }), items);
  const comments = counted(useInfiniteQuery({ ...reportedQuery('open'), ...LIVE }), items);
  const pending = counted(useInfiniteQuery({ ...photosQuery('pending'), ...LIVE }), items);
  const reported = counted(useInfiniteQuery({ ...photosQuery('reported'), ...LIVE }), items);
  const requests = useQuery({ ...requestsQuery(), ...LIVE }).data;
  const videos = counted(useInfiniteQuery({ ...videosQuery('reported'), ...LIVE }), items);
  const ads = counted(useInfiniteQuery({ ...reviewsQuery('waiting'), ...LIVE }), items);
  const messages = counted(useInfiniteQuery({ ...messagesQuery('open'), ...LIVE }), items);
  const alerts = useInfiniteQuery({ ...alertsQuery('open'), ...LIVE });
  return {
    '/moderation': sumOf([open, appealed]),
    '/reported-comments': comments,
    '/admin/gallery': sumOf([pending, reported, requests && { count: requests.items.length, isMore: false }]),
    '/admin/top-picks': videos,
    '/admin/ads': ads,
    '/contact-messages': messages,
    '/disputes': counted(alerts, (page) => page.alerts.filter(isDispute)),
  };
}

/** An admin queue, named by the path of its page. */
export type Queue = keyof ReturnType<typeof useWaiting>;

/** The sum of all queues, without queues that could not be loaded. */
export function useAllWaiting(): Waiting {
  const known = Object.values(useWaiting()).filter((part) => part !== undefined);
  return sumOf(known) ?? { count: 0, isMore: false };
}
