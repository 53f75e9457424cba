import {
  MyTopPicks,
  TopPick,
  TopPickLikes,
  TopPickPage,
  TopPicksToCheck,
  type ModerateTopPickBody,
  type ReportTopPickBody,
} from '@beltway/contracts/media/top-picks';
import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';
import { infiniteQueryOptions, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, get, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { uploadWithProgress } from '../../lib/http/upload-with-progress.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

const TOP_PICKS = '/api/top-picks';
const LIST = [TOP_PICKS, 'list'] as const;
/** Page size: two rows of three on wide screens. */
const PAGE = 6;

export type Category = VideoCategory | 'all';

/** GET /api/top-picks, page after page. */
export const topPicksQuery = (category: Category) =>
  infiniteQueryOptions({
    queryKey: [...LIST, category] as const,
    queryFn: ({ pageParam, signal }): Promise<TopPickPage> => {
      const query = new URLSearchParams({ limit: String(PAGE), ...(category !== 'all' && { category }) });
      if (pageParam) query.set('cursor', pageParam);
      return get(`${TOP_PICKS}?${query}`, TopPickPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A later visit refetches, because others upload too.
    staleTime: 30_000,
  });
export const topPickQuery = (id: number) => apiQuery(TopPick, TOP_PICKS, id);
/** The account's likes and uploads, and the events whose clip it may promote. */
export const mineQuery = () => ({ ...apiQuery(MyTopPicks, TOP_PICKS, 'mine'), staleTime: 30_000 });

export type CheckStatus = 'reported' | 'all';
export const toCheckQuery = (status: CheckStatus) =>
  infiniteQueryOptions({
    queryKey: [TOP_PICKS, 'moderation', status] as const,
    queryFn: ({ pageParam, signal }): Promise<TopPicksToCheck> =>
      get(`${TOP_PICKS}/moderation?status=${status}${pageParam && `&cursor=${pageParam}`}`, TopPicksToCheck, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

interface UploadOptions {
  /** The idempotency key, so that a repeat stores no second video. */
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}
export const uploadVideo = (form: FormData, { key, ...options }: UploadOptions): Promise<TopPick> =>
  uploadWithProgress(`${TOP_PICKS}/upload`, form, TopPick, { ...options, headers: { 'idempotency-key': key } });
export const reportVideo = (id: number, body: ReportTopPickBody) => post(`${TOP_PICKS}/${id}/report`, body);
export const deleteVideo = (id: number) => del(`${TOP_PICKS}/${id}`);
export const moderateVideo = (id: number, body: ModerateTopPickBody) => post(`${TOP_PICKS}/${id}/moderation`, body);
/** Counts a view. Ignores errors, because a lost view is acceptable. */
export const noteView = (id: number) => void post(`${TOP_PICKS}/${id}/view`).catch(() => undefined);

/** Refetches the Top Picks that are shown. */
export function useRefreshTopPicks(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [TOP_PICKS] });
}

/** Likes a video or removes the like. The change is shown immediately, and undone if the server refuses. */
export function useLike() {
  const queries = useQueryClient();
  const show = (id: number, isLiked: boolean, likesOf: (video: TopPick) => number) => {
    const changed = (video: TopPick) => (video.id === id ? { ...video, likes: likesOf(video) } : video);
    queries.setQueriesData<InfiniteData<TopPickPage, string>>(
      { queryKey: LIST },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(changed) })) },
    );
    queries.setQueryData(topPickQuery(id).queryKey, (video) => video && changed(video));
    queries.setQueryData(
      mineQuery().queryKey,
      (mine) => mine && { ...mine, liked: [...mine.liked.filter((one) => one !== id), ...(isLiked ? [id] : [])] },
    );
  };
  return useAction({
    mutationFn: ({ id, wanted }: { id: number; wanted: boolean }) =>
      wanted ? post(`${TOP_PICKS}/${id}/like`, undefined, TopPickLikes) : del(`${TOP_PICKS}/${id}/like`, TopPickLikes),
    // Requests are sent in sequence, so that the last press counts.
    scope: { id: 'video-likes' },
    onMutate: async ({ id, wanted }) => {
      // A running fetch must not overwrite the optimistic change.
      await queries.cancelQueries({ queryKey: [TOP_PICKS] });
      show(id, wanted, ({ likes }) => likes + (wanted ? 1 : -1));
    },
    onSuccess: ({ likes, isLiked }, { id }) => show(id, isLiked, () => likes),
    failed: () => textsNow(texts)('notSaved'),
    onError: (_error, { id, wanted }) => {
      show(id, !wanted, ({ likes }) => likes - (wanted ? 1 : -1));
    },
  });
}
