import type {
  Answer,
  Question,
  QuestionPage,
  QuestionsQuery,
  QuestionThread,
} from '@beltway/contracts/realtime/community';
import type { Queryable } from '@beltway/kit/postgres';
import { notBlocked } from './blocks.ts';
import { isAbout, placeNamed, shownPlace } from './places.ts';
import type { Viewer } from './post-queries.ts';

interface Row {
  id: number;
  userId: number;
  userName: string;
  hasProfile: boolean;
  question: string;
  category: Question['category'];
  placeId: string | null;
  eventId: number | null;
  eventTitle: string | null;
  ownerId: number | null;
  isAnswered: boolean;
  isPinned: boolean;
  isTop: boolean;
  acceptedAnswerId: number | null;
  likes: number;
  answers: number;
  createdAt: Date;
  editedAt: Date | null;
  isLiked: boolean;
  isFollowed: boolean;
}

/** From `message_board m`, for the reader `$1`. */
const SELECT = `select m.id, m.user_id as "userId", coalesce(w.name, '') as "userName", coalesce(w.is_visible, false) as "hasProfile", m.question, m.category, m.place_id as "placeId",
  m.event_id as "eventId", e.title as "eventTitle", e.owner_id as "ownerId", m.is_answered as "isAnswered", m.is_pinned as "isPinned",
  m.is_top as "isTop", m.accepted_answer_id as "acceptedAnswerId", m.likes, m.answers, m.created_at as "createdAt",
  m.edited_at as "editedAt",
  exists (select from message_board_likes l where l.question_id = m.id and l.user_id = $1) as "isLiked",
  exists (select from message_board_follows f where f.question_id = m.id and f.user_id = $1) as "isFollowed"`;
const FROM = `from message_board m left join community_people w on w.user_id = m.user_id left join noted_events e on e.event_id = m.event_id`;
const SEEN = `m.hidden_at is null and ${notBlocked('m.user_id', '$1::integer')}`;

function asQuestion(
  { ownerId, placeId, isTop: _isTop, acceptedAnswerId: _accepted, createdAt, editedAt, ...row }: Row,
  viewer: Viewer,
): Question {
  const isOwn = row.userId === viewer?.id;
  const isModerator = viewer !== undefined && (viewer.id === ownerId || viewer.role === 'admin');
  return {
    ...row,
    location: shownPlace(placeId),
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    isOwn,
    mayPin: isModerator,
    mayRemove: isOwn || isModerator,
  };
}

async function rowFor(db: Queryable, viewer: Viewer, id: number): Promise<Row | undefined> {
  const { rows } = await db.query<Row>({
    name: 'board-question',
    text: `${SELECT} ${FROM} where m.id = $2 and ${SEEN}`,
    values: [viewer?.id ?? null, id],
  });
  return rows[0];
}

/** Undefined when there is none that the reader may see. */
export async function questionFor(db: Queryable, viewer: Viewer, id: number): Promise<Question | undefined> {
  const row = await rowFor(db, viewer, id);
  return row && asQuestion(row, viewer);
}

/** Questions with rare words are found by these, and then sorted; words that more have are found soon on the way through the board. */
const RARE = 1_000;
export const rareMatches = (q: string) => ({
  text: `select id from message_board where document @@ websearch_to_tsquery('english', $1) limit ${RARE + 1}`,
  values: [q],
});

/** The statement of a page, read from the end of an index as those of posts are. `found`: of these questions alone. */
export function boardStatement(
  viewer: Viewer,
  query: QuestionsQuery,
  found?: readonly number[],
): { text: string; values: unknown[] } {
  const values: unknown[] = [viewer?.id ?? null, query.limit + 1];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const place = query.location === undefined ? undefined : placeNamed(query.location, 'location');
  const pin = query.eventId === undefined ? 'm.is_top' : 'm.is_pinned';
  const conditions = [
    SEEN,
    ...(query.cursor
      ? [`(${pin}, m.id) < (${parameter(query.cursor.isPinned)}::boolean, ${parameter(query.cursor.id)}::integer)`]
      : []),
    ...(query.category === undefined ? [] : [`m.category = ${parameter(query.category)}`]),
    ...(query.eventId === undefined ? [] : [`m.event_id = ${parameter(query.eventId)}`]),
    ...(query.answered === undefined ? [] : [`m.is_answered = ${parameter(query.answered)}`]),
    ...(place ? [isAbout(place, 'm', parameter(place.id))] : []),
    ...(found
      ? [`m.id = any(${parameter(found)}::integer[])`]
      : query.q
        ? [`m.document @@ websearch_to_tsquery('english', ${parameter(query.q)})`]
        : []),
  ];
  return {
    text: `${SELECT} ${FROM} where ${conditions.join(' and ')} order by ${pin} desc, m.id desc limit $2`,
    values,
  };
}

/** The questions with these words, where they are few; undefined: there are many, or no words. */
async function foundBy(db: Queryable, q: string | undefined): Promise<number[] | undefined> {
  if (!q) return undefined;
  const { rows } = await db.query<{ id: number }>(rareMatches(q));
  return rows.length > RARE ? undefined : rows.map(({ id }) => id);
}

/** A page of questions that the reader may see: pinned ones first, then the newest. */
export async function questionsFor(db: Queryable, viewer: Viewer, query: QuestionsQuery): Promise<QuestionPage> {
  const { rows } = await db.query<Row>(boardStatement(viewer, query, await foundBy(db, query.q)));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const isPinned = last && (query.eventId === undefined ? last.isTop : last.isPinned);
  return {
    items: page.map((row) => asQuestion(row, viewer)),
    nextCursor: last && rows.length > page.length ? `${isPinned ? 1 : 0}-${last.id}` : null,
  };
}

interface AnswerRow {
  id: number;
  questionId: number;
  userId: number;
  userName: string;
  hasProfile: boolean;
  answer: string;
  isVerified: boolean;
  likes: number;
  createdAt: Date;
  isLiked: boolean;
}

const ANSWER = `select a.id, a.question_id as "questionId", a.user_id as "userId", coalesce(w.name, '') as "userName", coalesce(w.is_visible, false) as "hasProfile", a.answer,
    a.is_verified as "isVerified", a.likes, a.created_at as "createdAt",
    exists (select from message_board_answer_likes l where l.answer_id = a.id and l.user_id = $1) as "isLiked"
  from message_board_answers a left join community_people w on w.user_id = a.user_id`;
const ANSWER_SEEN = `a.hidden_at is null and ${notBlocked('a.user_id', '$1::integer')}`;

function asAnswer({ createdAt, ...row }: AnswerRow, viewer: Viewer, question: Row): Answer {
  const isOwn = row.userId === viewer?.id;
  return {
    ...row,
    isAccepted: row.id === question.acceptedAnswerId,
    createdAt: createdAt.toISOString(),
    isOwn,
    mayRemove: viewer !== undefined && (isOwn || viewer.id === question.ownerId || viewer.role === 'admin'),
  };
}

async function answerRow(db: Queryable, viewer: Viewer, id: number): Promise<AnswerRow | undefined> {
  const { rows } = await db.query<AnswerRow>({
    name: 'board-answer',
    text: `${ANSWER} where a.id = $2 and ${ANSWER_SEEN}`,
    values: [viewer?.id ?? null, id],
  });
  return rows[0];
}

/** Undefined when the reader may not see it, or its question. */
export async function answerFor(db: Queryable, viewer: Viewer, id: number): Promise<Answer | undefined> {
  const answer = await answerRow(db, viewer, id);
  const question = answer && (await rowFor(db, viewer, answer.questionId));
  return question && asAnswer(answer, viewer, question);
}

/** A question with a page of its answers, oldest first. */
export async function threadFor(
  db: Queryable,
  viewer: Viewer,
  id: number,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<QuestionThread | undefined> {
  const question = await rowFor(db, viewer, id);
  if (!question) return undefined;
  const { rows } = await db.query<AnswerRow>(
    `${ANSWER} where a.question_id = $2 and a.id > $3 and ${ANSWER_SEEN} order by a.id limit $4`,
    [viewer?.id ?? null, id, cursor ?? 0, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => asAnswer(row, viewer, question));
  const accepted = question.acceptedAnswerId && (await answerRow(db, viewer, question.acceptedAnswerId));
  return {
    question: asQuestion(question, viewer),
    accepted: accepted ? asAnswer(accepted, viewer, question) : null,
    answers: { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null },
  };
}
