import {
  AnswerPage,
  BlockedAuthors,
  CommentBody,
  CommentPage,
  CommentThread,
  MAX_COMMENT,
  ModeratedComment,
  ModeratedComments,
  type Comment,
  type ModerationAction,
  type ReportBody,
} from '@beltway/contracts/realtime/comments';
import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { storedUserId } from '../../lib/storage/session-store.ts';
import { del, get, HttpError, patch, post } from '../../lib/http/http.ts';

/** `blocked` lists authors whose comments are hidden, because the reader blocks them or they block the reader. */
export type ShownComments = CommentPage & { blocked: readonly number[] };
type Pages = InfiniteData<ShownComments, string>;

const without = <Of extends Comment>(comments: readonly Of[], blocked: readonly number[]): Of[] =>
  comments.filter(({ author }) => author === null || !blocked.includes(author.id));

/**
 * Removes comments of blocked and blocking authors for a signed-in reader, because the server sends all readers the
 * same page. Requests the blocks after the page of comments, so that the blocks are never older than the comments.
 */
async function withoutBlocked(eventId: number, page: CommentPage, signal: AbortSignal): Promise<ShownComments> {
  if (storedUserId() === null || page.items.length === 0) return { ...page, blocked: [] };
  const { authors } = await get(`/api/events/${eventId}/comments/blocked`, BlockedAuthors, { signal });
  const items = without(page.items, authors).map((thread) => {
    const answers = without(thread.answers, authors);
    const areAll = thread.answerCount === thread.answers.length;
    return { ...thread, answers, answerCount: areAll ? answers.length : thread.answerCount };
  });
  return { ...page, items, blocked: authors };
}

/** The text field of comments and answers. */
export const COMMENT_FIELD = { name: 'text', schema: CommentBody.shape.text, max: MAX_COMMENT } as const;

/**
 * GET /api/events/{id}/comments, page after page. The key is not below `/api/events/{id}`, so that stock changes
 * refetch no comments.
 */
export const commentsQuery = (eventId: number) =>
  infiniteQueryOptions({
    queryKey: ['/api/comments', eventId] as const,
    queryFn: async ({ pageParam, signal }): Promise<ShownComments> => {
      const path = `/api/events/${eventId}/comments${pageParam && `?cursor=${pageParam}`}`;
      return withoutBlocked(eventId, await get(path, CommentPage, { signal }), signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A later visit refetches, because others write too.
    staleTime: 30_000,
  });

/** The first segment of the query keys of all lists of reported comments. */
export const REPORTED = '/api/comments/reported';
export type ReportedStatus = 'open' | 'hidden';

/** GET /api/comments/reported, page after page. */
export const reportedQuery = (status: ReportedStatus) =>
  infiniteQueryOptions({
    queryKey: [REPORTED, status] as const,
    queryFn: ({ pageParam, signal }): Promise<ModeratedComments> =>
      get(`${REPORTED}?status=${status}${pageParam && `&cursor=${pageParam}`}`, ModeratedComments, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

export const postComment = (eventId: number, body: { text: string; answerTo?: number }, key: string) =>
  post(`/api/events/${eventId}/comments`, body, CommentThread, { headers: { 'idempotency-key': key } });
export const editComment = (id: number, text: string) => patch(`/api/comments/${id}`, { text }, CommentThread);
export const deleteComment = (id: number) => del(`/api/comments/${id}`);
export const reportComment = (id: number, body: ReportBody) => post(`/api/comments/${id}/report`, body);
export const moderateComment = (id: number, action: ModerationAction) =>
  post(`/api/comments/${id}/moderation`, { action }, ModeratedComment);
/** The answers after the last one that is shown. */
export const nextAnswers = ({ id, answers }: CommentThread) =>
  get(`/api/comments/${id}/answers?cursor=${answers.at(-1)?.id ?? 1}`, AnswerPage);

/** 404 or 409: the comment is gone or has changed, so the list on the page is outdated. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 404 || error.status === 409);

/** Temporary ids of comments that are being sent. */
let lastUnsent = 0;
export const unsentId = (): number => (lastUnsent -= 1);

type Threads = (threads: CommentThread[]) => CommentThread[];

/** The cached comments of an event, for optimistic changes that can be undone. */
export function shownComments(queries: QueryClient, eventId: number) {
  const { queryKey } = commentsQuery(eventId);
  const change = (threads: Threads, by: number) =>
    queries.setQueryData<Pages>(
      queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: threads(page.items), total: page.total + by })),
        },
    );
  const parentOf = (answerTo: number, changed: (thread: CommentThread) => CommentThread): Threads => {
    return (threads) => threads.map((thread) => (thread.id === answerTo ? changed(thread) : thread));
  };
  return {
    /** Cancels running fetches, which would overwrite an optimistic change. */
    hold: () => queries.cancelQueries({ queryKey }),
    /** Adds an answer below the others, or a comment on top. Returns a function that undoes this. */
    add(comment: CommentThread): () => void {
      const { id, answerTo } = comment;
      if (answerTo !== null) {
        const answered = (by: 1 | -1, answers: (before: Comment[]) => Comment[]) =>
          change(
            parentOf(answerTo, (thread) => ({
              ...thread,
              answers: answers(thread.answers),
              answerCount: thread.answerCount + by,
            })),
            by,
          );
        answered(1, (before) => [...before, comment]);
        return () => answered(-1, (before) => before.filter((answer) => answer.id !== id));
      }
      const [first] = queries.getQueryData<Pages>(queryKey)?.pages ?? [];
      change((threads) => (threads === first?.items ? [comment, ...threads] : threads), 1);
      return () => change((threads) => threads.filter((thread) => thread.id !== id), -1);
    },
    /** Updates the comment `id` with the server's response. */
    replace: (id: number, comment: Partial<Comment>) =>
      change(
        (threads) =>
          threads.map((thread) =>
            thread.id === id
              ? { ...thread, ...comment, answers: thread.answers, answerCount: thread.answerCount }
              : {
                  ...thread,
                  answers: thread.answers.map((answer) => (answer.id === id ? { ...answer, ...comment } : answer)),
                },
          ),
        0,
      ),
    /** Removes a comment. If it has answers, a placeholder in this state stays. Returns a function that undoes this. */
    remove({ id, answerTo }: Comment, state: 'deleted' | 'hidden'): () => void {
      const before = queries.getQueryData<Pages>(queryKey);
      if (answerTo !== null)
        change(
          parentOf(answerTo, (thread) => ({
            ...thread,
            answers: thread.answers.filter((answer) => answer.id !== id),
            answerCount: thread.answerCount - 1,
          })),
          -1,
        );
      else
        change(
          (threads) =>
            threads.flatMap((thread) =>
              thread.id !== id
                ? [thread]
                : thread.answerCount > 0
                  ? [{ ...thread, state, text: null, author: null, isOrganizer: false, editedAt: null }]
                  : [],
            ),
          -1,
        );
      const after = queries.getQueryData<Pages>(queryKey);
      // Refetches instead of restoring if the cache has changed in the meantime.
      return () => {
        if (queries.getQueryData<Pages>(queryKey) === after) queries.setQueryData<Pages>(queryKey, before);
        else void queries.invalidateQueries({ queryKey });
      };
    },
    addAnswers(id: number, { items: more, nextCursor }: AnswerPage) {
      const blocked = queries.getQueryData<Pages>(queryKey)?.pages.flatMap((page) => page.blocked) ?? [];
      change(
        parentOf(id, (thread) => {
          const known = new Set(thread.answers.map((answer) => answer.id));
          const added = without(more, blocked).filter((answer) => !known.has(answer.id));
          const answers = [...thread.answers, ...added];
          // Once all answers are loaded, the count excludes hidden answers.
          return { ...thread, answers, answerCount: nextCursor === null ? answers.length : thread.answerCount };
        }),
        0,
      );
    },
    refresh: () => queries.invalidateQueries({ queryKey }),
  };
}
