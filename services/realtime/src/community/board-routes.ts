import { Router, type Request } from 'express';
import {
  AnswerBody,
  EditQuestionBody,
  QuestionBody,
  QuestionQuery,
  QuestionsQuery,
  type Answer,
  type Question,
  type QuestionFollow,
} from '@beltway/contracts/realtime/community';
import { Rejected } from '@beltway/event-store';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { notFound } from '@beltway/kit/problems';
import {
  acceptAnswer,
  addAnswer,
  addQuestion,
  editQuestion,
  followQuestion,
  likeAnswer,
  likeQuestion,
  removeAnswer,
  removeQuestion,
} from './board.ts';
import { answerFor, questionFor, questionsFor, threadFor } from './board-queries.ts';
import { byAddressOf, idOf, type CommunityDeps } from './routes.ts';
import { writeOnce } from './write-once.ts';

export interface BoardDeps extends Pick<CommunityDeps, 'pool' | 'auth' | 'isUnlimited' | 'clock'> {
  /** An answer was noted that followers of its question are told of. */
  noted: () => void;
}

/** Questions and answers: docs/product.md#message-board */
export function boardRoutes({ pool, auth, isUnlimited, clock, noted }: BoardDeps): Router {
  const router = Router();
  const board = { pool, write: writeOnce({ pool, isUnlimited, clock }), noted, clock };
  const byAddress = byAddressOf(isUnlimited);
  const questionId = (req: Request) => idOf(req.params['id'], 'This question');
  const answerId = (req: Request) => idOf(req.params['id'], 'This answer');
  const shownQuestion = async (req: Request, id = questionId(req)): Promise<Question> => {
    const question = await questionFor(pool, req.caller, id);
    if (!question) throw notFound('This question');
    return question;
  };
  const shownAnswer = async (req: Request): Promise<Answer> => {
    const answer = await answerFor(pool, req.caller, answerId(req));
    if (!answer) throw notFound('This answer');
    return answer;
  };

  // All of it depends on who reads.
  router.use('/api/message-board', (_req, res, next) => {
    res.set('Cache-Control', 'private, no-store');
    next();
  });

  router.get('/api/message-board', auth.optional, async (req, res) => {
    res.json(await questionsFor(pool, req.caller, QuestionsQuery.parse(req.query)));
  });

  router.post('/api/message-board', auth.signedIn, byAddress, async (req, res) => {
    const key = idempotencyKeyOf(req);
    const id = await addQuestion(board, callerOf(req), QuestionBody.parse(req.body), key);
    const question = await questionFor(pool, req.caller, id);
    // Sent again after it was deleted or hidden: it is not asked anew.
    if (!question) throw new Rejected('question-removed', 'This question was removed.');
    res.status(201).json(question);
  });

  router.get('/api/message-board/:id', auth.optional, async (req, res) => {
    const thread = await threadFor(pool, req.caller, questionId(req), QuestionQuery.parse(req.query));
    if (!thread) throw notFound('This question');
    res.json(thread);
  });

  router.patch('/api/message-board/:id', auth.signedIn, async (req, res) => {
    await editQuestion(board, callerOf(req), questionId(req), EditQuestionBody.parse(req.body));
    res.json(await shownQuestion(req));
  });

  /** 204 also for one that is gone: a repeat finds what it asked for. */
  router.delete('/api/message-board/:id', auth.signedIn, async (req, res) => {
    await removeQuestion(board, callerOf(req), questionId(req));
    res.status(204).end();
  });

  router.post('/api/message-board/:id/answers', auth.signedIn, byAddress, async (req, res) => {
    const key = idempotencyKeyOf(req);
    const id = await addAnswer(board, callerOf(req), questionId(req), AnswerBody.parse(req.body), key);
    const answer = await answerFor(pool, req.caller, id);
    if (!answer) throw new Rejected('answer-gone', 'This answer is not there any more.');
    res.status(201).json(answer);
  });

  router.post('/api/message-board/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likeQuestion(board, callerOf(req).id, questionId(req), true));
  });

  router.delete('/api/message-board/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likeQuestion(board, callerOf(req).id, questionId(req), false));
  });

  router.post('/api/message-board/:id/follow', auth.signedIn, async (req, res) => {
    await followQuestion(board, callerOf(req).id, questionId(req), true);
    res.json({ isFollowed: true } satisfies QuestionFollow);
  });

  router.delete('/api/message-board/:id/follow', auth.signedIn, async (req, res) => {
    await followQuestion(board, callerOf(req).id, questionId(req), false);
    res.json({ isFollowed: false } satisfies QuestionFollow);
  });

  router.delete('/api/message-board/answers/:id', auth.signedIn, async (req, res) => {
    await removeAnswer(board, callerOf(req), answerId(req));
    res.status(204).end();
  });

  router.post('/api/message-board/answers/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likeAnswer(board, callerOf(req).id, answerId(req), true));
  });

  router.delete('/api/message-board/answers/:id/like', auth.signedIn, async (req, res) => {
    res.json(await likeAnswer(board, callerOf(req).id, answerId(req), false));
  });

  router.post('/api/message-board/answers/:id/accept', auth.signedIn, async (req, res) => {
    await acceptAnswer(board, callerOf(req).id, answerId(req), true);
    res.json(await shownAnswer(req));
  });

  router.delete('/api/message-board/answers/:id/accept', auth.signedIn, async (req, res) => {
    await acceptAnswer(board, callerOf(req).id, answerId(req), false);
    res.json(await shownAnswer(req));
  });

  return router;
}
