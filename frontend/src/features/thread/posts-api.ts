import { EventList } from '@beltway/contracts/catalog/events';
import {
  BlockPage,
  Likes,
  PostComment,
  PostCommentPage,
  Shares,
  SocialPost,
  SocialPostPage,
  type EditSocialPostBody,
  type SocialPostBody,
} from '@beltway/contracts/realtime/community';
import type { ReportContentBody } from '@beltway/contracts/identity/moderation';
import { StoredImage } from '@beltway/contracts/media/images';
import { infiniteQueryOptions, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, explain, get, patch, post, upload } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { toast } from '../../ui/toast.ts';
import { texts } from './texts.en.ts';

const POSTS = '/api/social-posts';
const BLOCKS = '/api/blocks';
const LIST = [POSTS, 'list'] as const;
type Pages = InfiniteData<SocialPostPage, string>;

/** Which posts are shown; the address of the page has the same words. */
export interface Feed {
  isFollowing: boolean;
  place: string;
  author: string;
  event: string;
}

/** GET /api/social-posts, page after page. */
export const postsQuery = ({ isFollowing, place, author, event }: Feed) =>
  infiniteQueryOptions({
    queryKey: [...LIST, { isFollowing, place, author, event }] as const,
    queryFn: ({ pageParam, signal }): Promise<SocialPostPage> => {
      const query = new URLSearchParams({
        ...(isFollowing && { feed: 'following' }),
        ...(place && { place }),
        ...(author && { author }),
        ...(event && { eventId: event }),
        ...(pageParam && { cursor: pageParam }),
      });
      return get(`${POSTS}${query.size > 0 ? `?${query}` : ''}`, SocialPostPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Others write meanwhile: who comes back later sees it.
    staleTime: 30_000,
  });

/** GET /api/social-posts/:id; HttpError 404 for one that is gone or not to be seen. */
export const postQuery = (id: number) => ({ ...apiQuery(SocialPost, POSTS, id), staleTime: 30_000 });

/** GET /api/social-posts/:id/comments, page after page. */
export const postCommentsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: [POSTS, 'comments', id] as const,
    queryFn: ({ pageParam, signal }): Promise<PostCommentPage> =>
      get(`${POSTS}/${id}/comments${pageParam && `?cursor=${pageParam}`}`, PostCommentPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 30_000,
  });

/** GET /api/blocks, page after page. */
export const blocksQuery = () =>
  infiniteQueryOptions({
    queryKey: [BLOCKS] as const,
    queryFn: ({ pageParam, signal }): Promise<BlockPage> =>
      get(`${BLOCKS}${pageParam && `?cursor=${pageParam}`}`, BlockPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

/** Events that a post may be about: asked for while one writes. */
export const pickerQuery = () => apiQuery(EventList, '/api/events', 'all');

export function storePicture(file: File): Promise<StoredImage> {
  const form = new FormData();
  form.set('image', file);
  return upload('/api/images', form, StoredImage);
}
export const writePost = (body: SocialPostBody, key: string) =>
  post(POSTS, body, SocialPost, { headers: { 'idempotency-key': key } });
export const editPost = (id: number, body: EditSocialPostBody) => patch(`${POSTS}/${id}`, body, SocialPost);
export const removePost = (id: number) => del(`${POSTS}/${id}`);
export const sharePost = (id: number) => post(`${POSTS}/${id}/share`, undefined, Shares);
export const writeComment = (id: number, text: string, key: string) =>
  post(`${POSTS}/${id}/comments`, { text }, PostComment, { headers: { 'idempotency-key': key } });
export const removeComment = ({ postId, id }: PostComment) => del(`${POSTS}/${postId}/comments/${id}`);
/** POST /api/reports (services/identity/PRODUCT.md#moderation) */
export const reportContent = (body: ReportContentBody) => post('/api/reports', body);
export const blockPerson = (userId: number) => post(`${BLOCKS}/${userId}`);
export const unblockPerson = (userId: number) => del(`${BLOCKS}/${userId}`);

/** The posts that are shown, to be changed in all lists and on the page of one. */
export function useShownPosts() {
  const queries = useQueryClient();
  const changeLists = (changed: (items: SocialPost[]) => SocialPost[]) =>
    queries.setQueriesData<Pages>(
      { queryKey: LIST },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: changed(page.items) })) },
    );
  return {
    /** Stops an answer that is on its way from taking back what is changed here. */
    hold: () => queries.cancelQueries({ queryKey: LIST }),
    change(id: number, changed: (post: SocialPost) => SocialPost): void {
      changeLists((items) => items.map((one) => (one.id === id ? changed(one) : one)));
      queries.setQueryData(postQuery(id).queryKey, (one) => one && changed(one));
    },
    takeAway: (isGone: (post: SocialPost) => boolean) => changeLists((items) => items.filter((one) => !isGone(one))),
    /** Posts and comments are asked for anew, where they are shown. */
    refresh: () => queries.invalidateQueries({ queryKey: [POSTS] }),
  };
}

/** Likes a post, or takes the like back: shown at once, and taken back when the server refuses. */
export function useLikePost() {
  const shown = useShownPosts();
  const show = (id: number, wanted: boolean) =>
    shown.change(id, (one) =>
      one.isLiked === wanted ? one : { ...one, isLiked: wanted, likes: one.likes + (wanted ? 1 : -1) },
    );
  return useMutation({
    mutationFn: ({ id, wanted }: { id: number; wanted: boolean }) =>
      wanted ? post(`${POSTS}/${id}/like`, undefined, Likes) : del(`${POSTS}/${id}/like`, Likes),
    // One after the other: the last press is what counts.
    scope: { id: 'post-likes' },
    onMutate: async ({ id, wanted }) => {
      await shown.hold();
      show(id, wanted);
    },
    onSuccess: (answer, { id }) => shown.change(id, (one) => ({ ...one, ...answer })),
    onError: (error, { id, wanted }) => {
      show(id, !wanted);
      toast({ title: textsNow(texts)('notSaved'), description: explain(error), variant: 'destructive' });
    },
  });
}
