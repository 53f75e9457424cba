import {
  AnswerPage,
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
import { del, get, HttpError, patch, post } from '../../lib/http/http.ts';

type Pages = InfiniteData<CommentPage, string>;

/** Where comments and answers to them are typed. */
export const COMMENT_FIELD = { name: 'text', schema: CommentBody.shape.text, max: MAX_COMMENT } as const;

/** GET /api/events/{id}/comments, page after page. Not below `/api/events/{id}`: a change of its stock asks for no comments. */
export const commentsQuery = (eventId: number) =>
  infiniteQueryOptions({
    queryKey: ['/api/comments', eventId] as const,
    queryFn: ({ pageParam, signal }): Promise<CommentPage> =>
      get(`/api/events/${eventId}/comments${pageParam && `?cursor=${pageParam}`}`, CommentPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Others write meanwhile: who comes back later sees it.
    staleTime: 30_000,
  });

/** The first part of the key of all lists of reported comments. */
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

/** 404 or 409: what it was about is gone or was changed, so that the list that is shown is old. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 404 || error.status === 409);

/** Ids of comments that the server has not answered for yet. */
let lastUnsent = 0;
export const unsentId = (): number => (lastUnsent -= 1);

type Threads = (threads: CommentThread[]) => CommentThread[];

/** The shown list of an event, to be changed before the server has answered, and back when it refuses. */
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
    /** Stops an answer that is on its way from taking back what is changed here. */
    hold: () => queries.cancelQueries({ queryKey }),
    /** Shows it: an answer below the others, else on top. Gives what takes it back. */
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
    /** Puts what the server says in the place of what is shown as `id`. */
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
    /** Takes it away; with answers below it its place stays, in this state. Gives what puts it back. */
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
      // Where more was changed meanwhile, the server says what is there.
      return () => {
        if (queries.getQueryData<Pages>(queryKey) === after) queries.setQueryData<Pages>(queryKey, before);
        else void queries.invalidateQueries({ queryKey });
      };
    },
    addAnswers: (id: number, more: Comment[]) =>
      change(
        parentOf(id, (thread) => {
          const known = new Set(thread.answers.map((answer) => answer.id));
          return { ...thread, answers: [...thread.answers, ...more.filter((answer) => !known.has(answer.id))] };
        }),
        0,
      ),
    refresh: () => queries.invalidateQueries({ queryKey }),
  };
}
