import type { z } from 'zod';
import {
  INLINE_ANSWERS,
  type AnswerPage,
  type AnswersQuery,
  type Comment,
  type CommentPage,
  type CommentsQuery,
  type CommentThread,
} from '@beltway/contracts/catalog/comments';
import type { Queryable } from '@beltway/kit/postgres';
import type { ListingRow } from '../event/queries.ts';
import { closedBy } from './comments.ts';

interface Row {
  id: number;
  eventId: number;
  answerTo: number | null;
  authorId: number;
  authorName: string;
  text: string | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
  hiddenAt: Date | null;
  answerCount: number;
}

const COLUMNS = `c.id, c.event_id as "eventId", c.parent_id as "answerTo", c.author_id as "authorId", a.name as "authorName", c.text,
  c.created_at as "createdAt", c.edited_at as "editedAt", c.deleted_at as "deletedAt", c.hidden_at as "hiddenAt", c.answers as "answerCount"`;
const IS_SHOWN = 'deleted_at is null and hidden_at is null';

/** As everybody reads it: of what is deleted or hidden nothing but that it was there. */
function asComment(row: Row, organiserId: number): Comment {
  const { id, eventId, answerTo, authorId, authorName, text, createdAt, editedAt, deletedAt, hiddenAt } = row;
  const state = deletedAt ? 'deleted' : hiddenAt ? 'hidden' : 'shown';
  const isShown = state === 'shown';
  return {
    id,
    eventId,
    answerTo,
    state,
    author: isShown ? { id: authorId, name: authorName } : null,
    text: isShown ? text : null,
    isOrganiser: isShown && authorId === organiserId,
    createdAt: createdAt.toISOString(),
    editedAt: (isShown && editedAt?.toISOString()) || null,
  };
}

/** The first answers below each of these comments, by comment. */
async function firstAnswers(db: Queryable, ids: number[]): Promise<Map<number | null, Row[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<Row>({
    name: 'first-answers',
    text: `select ${COLUMNS} from unnest($1::int[]) parent (id)
        cross join lateral (select * from comments where parent_id = parent.id and ${IS_SHOWN} order by id limit ${INLINE_ANSWERS}) c
        join accounts a on a.user_id = c.author_id order by c.id`,
    values: [ids],
  });
  return Map.groupBy(rows, ({ answerTo }) => answerTo);
}

async function threadsOf(db: Queryable, rows: Row[], organiserId: number): Promise<CommentThread[]> {
  const answers = await firstAnswers(
    db,
    rows.filter(({ answerCount }) => answerCount > 0).map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...asComment(row, organiserId),
    answers: (answers.get(row.id) ?? []).map((answer) => asComment(answer, organiserId)),
    answerCount: row.answerCount,
  }));
}

/** A page of the comments below an event, newest first. What is deleted or hidden stands there only with answers below it. */
export async function commentsOf(
  db: Queryable,
  listing: ListingRow,
  { cursor, limit }: z.infer<typeof CommentsQuery>,
  now: Date,
): Promise<CommentPage> {
  const { eventId, organiserId } = listing;
  const { rows } = await db.query<Row>({
    name: 'comments-of-event',
    text: `select ${COLUMNS} from comments c join accounts a on a.user_id = c.author_id
      where c.event_id = $1 and c.parent_id is null and (c.answers > 0 or (c.deleted_at is null and c.hidden_at is null))
        and c.id < coalesce($2::int, 2147483647) order by c.id desc limit $3`,
    values: [eventId, cursor ?? null, limit + 1],
  });
  const page = rows.slice(0, limit);
  return {
    items: await threadsOf(db, page, organiserId),
    nextCursor: rows.length > limit ? String(page.at(-1)!.id) : null,
    total: listing.comments,
    closed: closedBy(listing, now),
  };
}

/** A page of the answers to a comment, oldest first. */
export async function answersTo(
  db: Queryable,
  { commentId, organiserId }: { commentId: number; organiserId: number },
  { cursor, limit }: z.infer<typeof AnswersQuery>,
): Promise<AnswerPage> {
  const { rows } = await db.query<Row>({
    name: 'answers-to-comment',
    text: `select ${COLUMNS} from comments c join accounts a on a.user_id = c.author_id
      where c.parent_id = $1 and ${IS_SHOWN} and c.id > $2 order by c.id limit $3`,
    values: [commentId, cursor ?? 0, limit + 1],
  });
  const items = rows.slice(0, limit).map((row) => asComment(row, organiserId));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}

/** One comment as everybody reads it, for who just wrote it; undefined when it is gone. */
export async function shownComment(
  db: Queryable,
  commentId: number,
  organiserId: number,
): Promise<CommentThread | undefined> {
  const { rows } = await db.query<Row>({
    name: 'shown-comment',
    text: `select ${COLUMNS} from comments c join accounts a on a.user_id = c.author_id where c.id = $1 and ${IS_SHOWN}`,
    values: [commentId],
  });
  return (await threadsOf(db, rows, organiserId))[0];
}
