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
import { StoredImage } from '@beltway/contracts/media/images';
import { infiniteQueryOptions, useMutation } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, explain, get, patch, post, upload } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { toast } from '../../ui/toast.ts';
import { useShown } from './shown.ts';
import { texts } from './texts.en.ts';

const POSTS = '/api/social-posts';
const BLOCKS = '/api/blocks';
const LIST = [POSTS, 'list'] as const;

/** The filter of the feed, with the same names as in the URL. */
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
    // A later visit refetches, because others write too.
    staleTime: 30_000,
  });

/** GET /api/social-posts/:id; HttpError 404 for a post that is gone or not visible to this reader. */
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

/** Events that a post may be about, loaded while writing. */
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
export const blockPerson = (userId: number) => post(`${BLOCKS}/${userId}`);
export const unblockPerson = (userId: number) => del(`${BLOCKS}/${userId}`);

/** Changes posts wherever they are shown. */
export const useShownPosts = () =>
  useShown<SocialPost, SocialPost>({
    root: POSTS,
    keyOf: (id) => postQuery(id).queryKey,
    changeOne: (post, changed) => changed(post),
  });

/** Likes a post or removes the like. The change is shown immediately, and undone if the server refuses. */
export function useLikePost() {
  const shown = useShownPosts();
  const show = (id: number, wanted: boolean) =>
    shown.change(id, (one) =>
      one.isLiked === wanted ? one : { ...one, isLiked: wanted, likes: one.likes + (wanted ? 1 : -1) },
    );
  return useMutation({
    mutationFn: ({ id, wanted }: { id: number; wanted: boolean }) =>
      wanted ? post(`${POSTS}/${id}/like`, undefined, Likes) : del(`${POSTS}/${id}/like`, Likes),
    // Requests are sent in sequence, so that the last press counts.
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
