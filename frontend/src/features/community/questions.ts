import { Answer, Likes, QuestionFollow, QuestionThread } from '@beltway/contracts/community';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { del, get, post } from '../../lib/http.ts';

const BOARD = '/api/message-board';

/** GET /api/message-board/:id, page after page of its answers; HttpError 404 for one that is gone or not to be seen. */
export const questionQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: [BOARD, id] as const,
    queryFn: ({ pageParam, signal }): Promise<QuestionThread> =>
      get(`${BOARD}/${id}${pageParam && `?cursor=${pageParam}`}`, QuestionThread, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ answers }) => answers.nextCursor,
    staleTime: 30_000,
  });

export const writeAnswer = (id: number, answer: string, key: string) =>
  post(`${BOARD}/${id}/answers`, { answer }, Answer, { headers: { 'idempotency-key': key } });

/** Sets what one may take back: a like, following, the answer that helped. */
export const likeQuestion = (id: number, wanted: boolean) => set(`${BOARD}/${id}/like`, wanted);
export const likeAnswer = (id: number, wanted: boolean) => set(`${BOARD}/answers/${id}/like`, wanted);
export const followQuestion = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/${id}/follow`, undefined, QuestionFollow) : del(`${BOARD}/${id}/follow`, QuestionFollow);
export const acceptAnswer = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/answers/${id}/accept`) : del(`${BOARD}/answers/${id}/accept`);

const set = (path: string, wanted: boolean) => (wanted ? post(path, undefined, Likes) : del(path, Likes));
