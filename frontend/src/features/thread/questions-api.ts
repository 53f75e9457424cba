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
import { texts as questionTexts } from './questions.texts.en.ts';
import { texts } from './texts.en.ts';

const BOARD = '/api/message-board';
const LIST = [BOARD, 'list'] as const;

/** Which questions are shown; the address of the page has the same words. Empty: all. */
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
    // Others write meanwhile: who comes back later sees it.
    staleTime: 30_000,
  });

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

export const askQuestion = (body: QuestionBody, key: string) =>
  post(BOARD, body, Question, { headers: { 'idempotency-key': key } });
export const editQuestion = (id: number, body: EditQuestionBody) => patch(`${BOARD}/${id}`, body, Question);
export const removeQuestion = (id: number) => del(`${BOARD}/${id}`);
export const writeAnswer = (id: number, answer: string, key: string) =>
  post(`${BOARD}/${id}/answers`, { answer }, Answer, { headers: { 'idempotency-key': key } });
export const removeAnswer = (id: number) => del(`${BOARD}/answers/${id}`);

const set = (path: string, wanted: boolean) => (wanted ? post(path, undefined, Likes) : del(path, Likes));
/** Sets what one may take back: a like, following, the answer that helped. */
export const likeAnswer = (id: number, wanted: boolean) => set(`${BOARD}/answers/${id}/like`, wanted);
export const acceptAnswer = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/answers/${id}/accept`) : del(`${BOARD}/answers/${id}/accept`);
const likeQuestion = (id: number, wanted: boolean) => set(`${BOARD}/${id}/like`, wanted);
const followQuestion = (id: number, wanted: boolean) =>
  wanted ? post(`${BOARD}/${id}/follow`, undefined, QuestionFollow) : del(`${BOARD}/${id}/follow`, QuestionFollow);

/** The questions that are shown, to be changed in all lists and on the page of one. */
export function useShownQuestions() {
  const queries = useQueryClient();
  const changeLists = (changed: (items: Question[]) => Question[]) =>
    queries.setQueriesData<InfiniteData<QuestionPage, string>>(
      { queryKey: LIST },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: changed(page.items) })) },
    );
  return {
    change(id: number, changed: (question: Question) => Question): void {
      changeLists((items) => items.map((one) => (one.id === id ? changed(one) : one)));
      queries.setQueryData(
        questionQuery(id).queryKey,
        (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, question: changed(page.question) })) },
      );
    },
    takeAway: (isGone: (question: Question) => boolean) => changeLists((items) => items.filter((one) => !isGone(one))),
    /** Questions and answers are asked for anew, where they are shown. */
    refresh: () => queries.invalidateQueries({ queryKey: [BOARD] }),
  };
}

const refused = (error: unknown) =>
  toast({ title: textsNow(texts)('notSaved'), description: explainWrite(error), variant: 'destructive' });

/** Likes or follows a question, or takes that back; what the server answers is shown everywhere. */
export function useQuestionChoice(choice: 'like' | 'follow') {
  const shown = useShownQuestions();
  return useMutation({
    mutationFn: ({ id, wanted }: { id: number; wanted: boolean }): Promise<Likes | QuestionFollow> =>
      choice === 'like' ? likeQuestion(id, wanted) : followQuestion(id, wanted),
    onSuccess: (answer, { id }) => shown.change(id, (one) => ({ ...one, ...answer })),
    onError: refused,
  });
}

/** Changes one thing of an answer, and asks for the thread anew. */
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

/** Pins a question, or ends that: it moves in the list. */
export function usePinQuestion() {
  const shown = useShownQuestions();
  return useMutation({
    mutationFn: ({ id, isPinned }: { id: number; isPinned: boolean }) => editQuestion(id, { isPinned }),
    onSuccess: (saved) => {
      shown.change(saved.id, () => saved);
      const t = textsNow(questionTexts);
      toast({ title: saved.isPinned ? t('nowPinned') : t('nowUnpinned') });
      return shown.refresh();
    },
    onError: refused,
  });
}
