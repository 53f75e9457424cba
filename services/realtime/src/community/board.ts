import type { Pool, PoolClient } from 'pg';
import type { AnswerBody, EditQuestionBody, Likes, QuestionBody } from '@beltway/contracts/realtime/community';
import { Rejected, uuidFrom } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { transaction } from '@beltway/kit/postgres';
import { badField, forbidden, notFound } from '@beltway/kit/problems';
import { noteFact } from '../notifications/facts.ts';
import { notedEvent } from '../notifications/noted.ts';
import { notBlocked } from './blocks.ts';
import { setHidden } from './hiding.ts';
import { placeColumns } from './places.ts';
import type { WriteOnce } from './write-once.ts';

/** Below one question. */
const MAX_ANSWERS = 500;

export interface Board {
  pool: Pool;
  write: WriteOnce;
  /** An answer was noted that followers of its question are told of. */
  noted: () => void;
  clock: () => Date;
}

const FOLLOW = `insert into message_board_follows (question_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing`;

/** Asks a question and gives its number; who asks follows it. Throws 400 by field, 429. */
export async function addQuestion(
  { pool, write }: Board,
  writer: Caller,
  body: QuestionBody,
  key: string | undefined,
): Promise<number> {
  const { question, category, eventId } = body;
  const event = eventId === undefined ? undefined : await notedEvent(pool, eventId);
  if (eventId !== undefined && !event) throw badField('eventId', 'There is no such event');
  const { placeId, townId } = placeColumns(body.location, 'location', event?.location);
  return write({ kind: 'question', writer, key, body }, async (tx, now) => {
    const { rows } = await tx.query<{ id: number }>(
      `insert into message_board (user_id, question, category, place_id, town_id, event_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [writer.id, question, category, placeId, townId, eventId ?? null, now],
    );
    const { id } = rows[0]!;
    await tx.query(FOLLOW, [id, writer.id, now]);
    return id;
  });
}

/** A question as those who change it need it. */
interface QuestionRow {
  userId: number;
  eventId: number | null;
  ownerId: number | null;
  answers: number;
  isHidden: boolean;
}

/** Until the transaction ends nobody else changes the question. Undefined for one that is gone, or that the two do not see of each other. */
async function found(tx: PoolClient, id: number, viewerId: number | null): Promise<QuestionRow | undefined> {
  const { rows } = await tx.query<QuestionRow>({
    name: 'locked-question',
    text: `select m.user_id as "userId", m.event_id as "eventId", m.answers, m.hidden_at is not null as "isHidden",
        (select e.owner_id from noted_events e where e.event_id = m.event_id) as "ownerId"
      from message_board m where m.id = $2 and ${notBlocked('m.user_id', '$1')} for no key update of m`,
    values: [viewerId, id],
  });
  return rows[0];
}

/** A question that somebody can do something about. Throws 404. */
async function present(tx: PoolClient, id: number, viewerId: number): Promise<QuestionRow> {
  const question = await found(tx, id, viewerId);
  if (!question || question.isHidden) throw notFound('This question');
  return question;
}

const isModerator = (caller: Caller, ownerId: number | null) => caller.role === 'admin' || caller.id === ownerId;

/** Changes one's own question, or pins one of one's own event, as an admin any. Throws 403, 404. */
export const editQuestion = (
  { pool, clock }: Board,
  caller: Caller,
  id: number,
  { question, category, isPinned }: EditQuestionBody,
): Promise<void> =>
  transaction(pool, async (tx) => {
    const { userId, ownerId } = await present(tx, id, caller.id);
    if ((question !== undefined || category !== undefined) && userId !== caller.id) throw forbidden();
    if (isPinned !== undefined && !isModerator(caller, ownerId)) throw forbidden();
    await tx.query(
      `update message_board set question = coalesce($2, question), category = coalesce($3, category), is_pinned = coalesce($4, is_pinned),
         edited_at = case when question <> coalesce($2, question) or category <> coalesce($3, category) then $5 else edited_at end
       where id = $1`,
      [id, question ?? null, category ?? null, isPinned ?? null, clock()],
    );
  });

/** Deletes one's own question with its answers; who owns its event, and admins, hide it. One that is gone is left alone. Throws 403. */
export const removeQuestion = ({ pool, clock }: Board, caller: Caller, id: number): Promise<void> =>
  transaction(pool, async (tx) => {
    // Blocking takes nothing out of a moderator's hands.
    const question = await found(tx, id, null);
    if (!question) return;
    if (question.userId === caller.id) return void (await tx.query('delete from message_board where id = $1', [id]));
    if (!isModerator(caller, question.ownerId)) throw forbidden();
    await setHidden(tx, 'question', id, true, clock());
  });

/** Follows a question, or no longer; a repeat changes nothing. Throws 404. */
export const followQuestion = (
  { pool, clock }: Board,
  userId: number,
  id: number,
  isFollowed: boolean,
): Promise<void> =>
  transaction(pool, async (tx) => {
    await present(tx, id, userId);
    if (isFollowed) await tx.query(FOLLOW, [id, userId, clock()]);
    else await tx.query('delete from message_board_follows where question_id = $1 and user_id = $2', [id, userId]);
  });

/** Gives or takes back a like of what is locked; a repeat changes nothing. */
async function like(
  tx: PoolClient,
  { likes, key, counted }: { likes: string; key: string; counted: string },
  { id, userId, isLiked, now }: { id: number; userId: number; isLiked: boolean; now: Date },
): Promise<Likes> {
  const { rowCount } = isLiked
    ? await tx.query(`insert into ${likes} (${key}, user_id, created_at) values ($1, $2, $3) on conflict do nothing`, [
        ...[id, userId, now],
      ])
    : await tx.query(`delete from ${likes} where ${key} = $1 and user_id = $2`, [id, userId]);
  const by = rowCount === 1 ? (isLiked ? 1 : -1) : 0;
  const { rows } = await tx.query<{ likes: number }>(
    `update ${counted} set likes = likes + $2 where id = $1 returning likes`,
    [id, by],
  );
  return { likes: rows[0]!.likes, isLiked };
}

/** Throws 404. */
export const likeQuestion = ({ pool, clock }: Board, userId: number, id: number, isLiked: boolean): Promise<Likes> =>
  transaction(pool, async (tx) => {
    await present(tx, id, userId);
    const where = { likes: 'message_board_likes', key: 'question_id', counted: 'message_board' };
    return like(tx, where, { id, userId, isLiked, now: clock() });
  });

/** Throws 404. */
export const likeAnswer = ({ pool, clock }: Board, userId: number, id: number, isLiked: boolean): Promise<Likes> =>
  transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `select from message_board_answers a join message_board m on m.id = a.question_id
       where a.id = $2 and a.hidden_at is null and m.hidden_at is null
         and ${notBlocked('a.user_id', '$1')} and ${notBlocked('m.user_id', '$1')} for no key update of a`,
      [userId, id],
    );
    if (rowCount === 0) throw notFound('This answer');
    const where = { likes: 'message_board_answer_likes', key: 'answer_id', counted: 'message_board_answers' };
    return like(tx, where, { id, userId, isLiked, now: clock() });
  });

/**
 * Answers a question and gives the answer's number; followers of the question are told. Throws 404, 409 where the question was removed or has
 * all the answers that it takes, 429.
 */
export async function addAnswer(
  { write, noted }: Board,
  writer: Caller,
  questionId: number,
  body: AnswerBody,
  key: string | undefined,
): Promise<number> {
  const id = await write({ kind: 'answer', writer, key, body: { questionId, ...body } }, async (tx, now) => {
    const question = await found(tx, questionId, writer.id);
    if (!question) throw notFound('This question');
    if (question.isHidden) throw new Rejected('question-removed', 'This question was removed. It takes no answers.');
    if (question.answers >= MAX_ANSWERS)
      throw new Rejected('too-many-answers', 'This question has all the answers it takes.');
    const { rows } = await tx.query<{ id: number }>(
      `insert into message_board_answers (question_id, user_id, answer, is_verified, created_at) values ($1, $2, $3, $4, $5) returning id`,
      [questionId, writer.id, body.answer, isModerator(writer, question.ownerId), now],
    );
    const answerId = rows[0]!.id;
    await tx.query('update message_board set answers = answers + 1 where id = $1', [questionId]);
    await noteFact(
      tx,
      { id: uuidFrom(`reply ${answerId}`), occurredAt: now.toISOString() },
      {
        ...{ kind: 'reply', questionId, answerId, authorId: writer.id },
        ...(question.eventId !== null && { eventId: question.eventId }),
      },
    );
    return answerId;
  });
  noted();
  return id;
}

interface AnswerRow {
  userId: number;
  questionId: number;
  isHidden: boolean;
}

/** Undefined when there is none. */
async function answerById(db: Pick<PoolClient, 'query'>, id: number): Promise<AnswerRow | undefined> {
  const { rows } = await db.query<AnswerRow>({
    name: 'board-answer-row',
    text: `select user_id as "userId", question_id as "questionId", hidden_at is not null as "isHidden"
      from message_board_answers where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Says which answer helped, by who asked: of several the last one; or that it did not after all. Throws 403, 404. */
export const acceptAnswer = ({ pool }: Board, userId: number, id: number, isAccepted: boolean): Promise<void> =>
  transaction(pool, async (tx) => {
    const { questionId } = (await answerById(tx, id)) ?? {};
    if (questionId === undefined) throw notFound('This answer');
    const question = await present(tx, questionId, userId);
    if (question.userId !== userId) throw forbidden();
    // Asked again under the question's lock: it may have been hidden meanwhile.
    const { rowCount } = await tx.query(
      `select from message_board_answers a where a.id = $2 and a.hidden_at is null and ${notBlocked('a.user_id', '$1')}`,
      [userId, id],
    );
    if (rowCount === 0) throw notFound('This answer');
    await tx.query(
      isAccepted
        ? 'update message_board set accepted_answer_id = $2 where id = $1'
        : 'update message_board set accepted_answer_id = null where id = $1 and accepted_answer_id = $2',
      [questionId, id],
    );
  });

/** Deletes one's own answer; who owns the question's event, and admins, hide it. One that is gone is left alone. Throws 403. */
export const removeAnswer = ({ pool, clock }: Board, caller: Caller, id: number): Promise<void> =>
  transaction(pool, async (tx) => {
    const answer = await answerById(tx, id);
    if (!answer) return;
    if (answer.userId === caller.id) {
      await tx.query(
        `with gone as (delete from message_board_answers where id = $1 returning id, question_id, hidden_at)
         update message_board m set answers = answers - case when gone.hidden_at is null then 1 else 0 end,
           accepted_answer_id = nullif(accepted_answer_id, gone.id) from gone where m.id = gone.question_id`,
        [id],
      );
      return;
    }
    const { rows } = await tx.query<{ ownerId: number | null }>(
      `select e.owner_id as "ownerId" from message_board m left join noted_events e on e.event_id = m.event_id where m.id = $1`,
      [answer.questionId],
    );
    if (!isModerator(caller, rows[0]?.ownerId ?? null)) throw forbidden();
    await setHidden(tx, 'answer', id, true, clock());
  });
