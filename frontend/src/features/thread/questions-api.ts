import {
  Answer,
  Likes,
  Question,
  QuestionFollow,
  QuestionPage,
  QuestionThread,
  type EditQuestionBody,
  type QuestionBody,
  type QuestionCategory,
} from '@beltway/contracts/realtime/community';
import { infiniteQueryOptions, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, get, patch, post } from '../../lib/http/http.ts';
import { toast } from '../../ui/toast.ts';
import { explainWrite } from './explain-write.ts';
import { useShown } from './shown.ts';
import { texts } from './texts.en.ts';

const BOARD = '/api/message-board';
const LIST = [BOARD, 'list'] as const;

/** The filter of the board, with the same names as in the URL. An empty field means all. */
export interface Board {
  q: string;
  category: QuestionCategory | '';
  place: string;
  event: string;
  answered: 'true' | 'false' | '';
}

/** GET /api/message-board, page after page. */
export const questionsQuery = ({ q, category, place, event, answered }: Board) =>
  infiniteQueryOptions({
    queryKey: [...LIST, { q, category, place, event, answered }] as const,
    queryFn: ({ pageParam, signal }): Promise<QuestionPage> => {
      const query = new URLSearchParams({
        ...(q && { q }),
        ...(category && { category }),
        ...(place && { location: place }),
        ...(event && { eventId: event }),
        ...(answered && { answered }),
        ...(pageParam && { cursor: pageParam }),
      });
      return get(`${BOARD}${query.size > 0 ? `?${query}` : ''}`, QuestionPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A later visit refetches, because others write too.
    staleTime: 30_000,
  });

/**
 * GET /api/message-board/:id, paged by its answers; HttpError 404 for a question that is gone or not visible to this
 * reader.
 */
export const questionQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: [BOARD, id] as const,
    queryFn: ({ pageParam, signal }): Promise<QuestionThread> =>
      get(`${BOARD}/${id}${pageParam && `?cursor=${pageParam}`}`, QuestionThread, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ answers }) => answers.nextCursor,
    staleTime: 30_000,
  });

export const askQuestion = (body: QuestionBody, key: string) =>
  post(BOARD, body, Question, { headers: { 'idempotency-key': key } });
export const editQuestion = (id: number, body: EditQuestionBody) => patch(`${BOARD}/${id}`, body, Question);
export const removeQuestion = (id: number) => del(`${BOARD}/${id}`);
export const writeAnswer = (id: number, answer: string, key: string) =>
  post(`${BOARD}/${id}/answers`, { answer }, Answer, { headers: { 'idempotency-key': key } });
export const removeAnswer = (id: number) => del(`${BOARD}/answers/${id}`);

const set = (path: string, wanted: boolean) => (wanted ? post(path, undefined, Likes) : del(path, Likes));
/** Toggles: likes, follows and the accepted answer. */
export const likeAnswer = (id: number, wanted: boolean) => set(`${BOARD}/answers/${id}/like`, wanted);
export const acceptAnswer = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/answers/${id}/accept`) : del(`${BOARD}/answers/${id}/accept`);
const likeQuestion = (id: number, wanted: boolean) => set(`${BOARD}/${id}/like`, wanted);
const followQuestion = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/${id}/follow`, undefined, QuestionFollow) : del(`${BOARD}/${id}/follow`, QuestionFollow);

/** Changes questions wherever they are shown. */
export const useShownQuestions = () =>
  useShown<Question, InfiniteData<QuestionThread>>({
    root: BOARD,
    keyOf: (id) => questionQuery(id).queryKey,
    changeOne: (data, changed) => ({
      ...data,
      pages: data.pages.map((page) => ({ ...page, question: changed(page.question) })),
    }),
  });

const refused = (error: unknown) =>
  toast({ title: textsNow(texts)('notSaved'), description: explainWrite(error), variant: 'destructive' });

/** Sets or removes a like or follow of a question. The server's response updates all lists. */
export function useQuestionChoice(choice: 'like' | 'follow') {
  const shown = useShownQuestions();
  return useMutation({
    mutationFn: ({ id, wanted }: { id: number; wanted: boolean }): Promise<Likes | QuestionFollow> =>
      choice === 'like' ? likeQuestion(id, wanted) : followQuestion(id, wanted),
    onSuccess: (answer, { id }) => shown.change(id, (one) => ({ ...one, ...answer })),
    onError: refused,
  });
}

/** Changes one mark of an answer, and refetches its thread. */
export function useAnswerChoice(questionId: number, change: (wanted: boolean) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: refused,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: questionQuery(questionId).queryKey }),
        queries.invalidateQueries({ queryKey: LIST }),
      ]),
  });
}

/** Pins or unpins a question, which changes its position in the list. */
export function usePinQuestion() {
  const shown = useShownQuestions();
  return useMutation({
    mutationFn: ({ id, isPinned }: { id: number; isPinned: boolean }) => editQuestion(id, { isPinned }),
    onSuccess: (saved) => {
      shown.change(saved.id, () => saved);
      return shown.refresh();
    },
    onError: refused,
  });
}
