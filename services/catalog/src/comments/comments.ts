import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { CommentBody, CommentPage, EditCommentBody } from '@beltway/contracts/catalog/comments';
import { endOf } from '@beltway/contracts/common/times';
import { CommandReused, Rejected, fingerprintOf } from '@beltway/event-store';
import { transaction } from '@beltway/kit/postgres';
import { forbidden, notFound } from '@beltway/kit/problems';
import { noteAccount } from '../accounts/accounts.ts';
import { addToCounts } from '../engagement/counts.ts';
import type { ListingRow } from '../event/queries.ts';
import { queueAnswer } from './tell-answers.ts';
import { MAX_ANSWERS, MAX_TOTAL, checkLimits } from './limits.ts';
import { textKeyOf } from './text-key.ts';
import type { Turns } from './turns.ts';

/** For so long people may write after an event has ended. */
const OPEN_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** A retry comes within minutes; a day of an account's limit is counted by these rows as well. */
const KEPT_REQUESTS = `interval '30 days'`;
const LOCK = 'select pg_advisory_xact_lock($1, $2)';
/** The first numbers of advisory locks on authors, and on the comments of an event. */
const AUTHOR_LOCK = 4301;
export const EVENT_LOCK = 4302;

/** A comment as those who change it need it. */
export interface CommentRow {
  id: number;
  eventId: number;
  parentId: number | null;
  authorId: number;
  text: string | null;
  textKey: string | null;
  deletedAt: Date | null;
  hiddenAt: Date | null;
  hiddenByAdmin: boolean;
  answers: number;
  openReports: number;
}

const COLUMNS = `id, event_id as "eventId", parent_id as "parentId", author_id as "authorId", text, text_key as "textKey",
  deleted_at as "deletedAt", hidden_at as "hiddenAt", hidden_by_admin as "hiddenByAdmin", answers, open_reports as "openReports"`;

/** Undefined when there is none. What it says may be old the next moment: who changes it asks again inside of `changing`. */
export async function commentById(db: Pick<PoolClient, 'query'>, id: number): Promise<CommentRow | undefined> {
  const { rows } = await db.query<CommentRow>({
    name: 'comment-by-id',
    text: `select ${COLUMNS} from comments where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** A comment that somebody can do something about. Throws 404 when there is none, or its author deleted it. */
export async function presentComment(tx: PoolClient, id: number): Promise<CommentRow & { text: string }> {
  const comment = await commentById(tx, id);
  if (!comment || comment.deletedAt || comment.text === null) throw notFound('This comment');
  return { ...comment, text: comment.text };
}

/** Why nobody can write below this event any more. */
export function closedBy(listing: ListingRow, now: Date): CommentPage['closed'] {
  if (listing.status === 'cancelled') return 'cancelled';
  // What is postponed has no end yet.
  if (listing.status === 'postponed') return null;
  return now.getTime() > endOf(listing).getTime() + OPEN_DAYS * DAY_MS ? 'over' : null;
}

/** Throws 409 when nobody can write below this event any more. */
function refuseWhenClosed(listing: ListingRow, now: Date): void {
  const closed = closedBy(listing, now);
  if (closed)
    throw new Rejected(
      'comments-closed',
      closed === 'cancelled'
        ? 'This event was cancelled. Its comments are closed.'
        : 'This event is long over. Its comments are closed.',
    );
}

export interface Writing {
  pool: Pool;
  turns: Turns;
}

/**
 * Runs `work` while nothing else changes a comment of this event, here or in another instance: whoever does takes the event's advisory
 * lock first. Within a process they wait without a database connection.
 */
export const changing = <T>(
  { pool, turns }: Writing,
  eventId: number,
  work: (tx: PoolClient) => Promise<T>,
  authorId?: number,
): Promise<T> =>
  turns(`event ${eventId}`, () =>
    transaction(pool, async (tx) => {
      // Who writes below many events at once is counted one after the other. Always before the event: no two wait for each other.
      if (authorId !== undefined) await tx.query(LOCK, [AUTHOR_LOCK, authorId]);
      await tx.query(LOCK, [EVENT_LOCK, eventId]);
      return work(tx);
    }),
  );

/** Counts a comment that is shown from now on (1), or no more (-1): below its event, and among the answers of the one that it answers. */
export async function count(tx: PoolClient, { eventId, parentId }: CommentRow, by: 1 | -1): Promise<void> {
  if (parentId !== null) await tx.query('update comments set answers = answers + $2 where id = $1', [parentId, by]);
  await addToCounts(tx, [{ eventId, count: 'comments', by }]);
}

/** The comment that an answer answers. Throws 404 for one of another event, 409 for one that cannot be answered. */
async function answered(tx: PoolClient, eventId: number, id: number): Promise<CommentRow> {
  const parent = await commentById(tx, id);
  if (!parent || parent.eventId !== eventId) throw notFound('This comment');
  if (parent.parentId !== null) throw new Rejected('no-answers-to-answers', 'An answer cannot be answered.');
  if (parent.deletedAt || parent.hiddenAt) throw new Rejected('comment-gone', 'This comment is not there any more.');
  if (parent.answers >= MAX_ANSWERS)
    throw new Rejected('too-many-answers', 'This comment has all the answers it takes.');
  return parent;
}

async function refuseRepeated(
  tx: PoolClient,
  { eventId, authorId, textKey, id = 0 }: Pick<CommentRow, 'eventId' | 'authorId'> & { textKey: string; id?: number },
): Promise<void> {
  const { rowCount } = await tx.query(
    'select from comments where event_id = $1 and author_id = $2 and text_key = $3 and id <> $4',
    [eventId, authorId, textKey, id],
  );
  if (rowCount !== 0) throw new Rejected('said-already', 'You said exactly this here already.');
}

export interface Posting {
  listing: ListingRow;
  author: { id: number; name: string };
  body: CommentBody;
  /** The client's idempotency key. */
  key: string | undefined;
}

/**
 * Adds a comment or an answer, and gives its id; the same key again gives the same one and adds nothing. Throws `CommandReused` when the
 * key belongs to another comment, 409 by code, 404, 429.
 */
export async function postComment(
  writing: Writing,
  { listing, author, body, key = `none ${randomUUID()}` }: Posting,
  now: Date,
): Promise<number> {
  const { eventId } = listing;
  const fingerprint = fingerprintOf({ eventId, ...body });
  const textKey = textKeyOf(body.text);
  const post = async (tx: PoolClient): Promise<number> => {
    const { rows: known } = await tx.query<{ commentId: number; fingerprint: string }>(
      'select comment_id as "commentId", fingerprint from comment_requests where author_id = $1 and key = $2',
      [author.id, key],
    );
    if (known[0]) {
      if (known[0].fingerprint !== fingerprint) throw new CommandReused();
      return known[0].commentId;
    }
    refuseWhenClosed(listing, now);
    await checkLimits(tx, { authorId: author.id, eventId }, now);
    const parent = body.answerTo === undefined ? undefined : await answered(tx, eventId, body.answerTo);
    await refuseRepeated(tx, { eventId, authorId: author.id, textKey });
    const { rows: counted } = await tx.query<{ comments: number }>(
      'select comments from event_counts where event_id = $1',
      [eventId],
    );
    if ((counted[0]?.comments ?? 0) >= MAX_TOTAL)
      throw new Rejected('too-many-comments', 'This event has all the comments it takes.');

    await noteAccount(tx, { userId: author.id, name: author.name });
    const { rows } = await tx.query<CommentRow>(
      `insert into comments (event_id, parent_id, author_id, text, text_key, created_at)
       values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
      [eventId, body.answerTo ?? null, author.id, body.text, textKey, now],
    );
    const comment = rows[0]!;
    await count(tx, comment, 1);
    if (parent && parent.authorId !== author.id) await queueAnswer(tx, { comment, answered: parent, at: now });
    await tx.query(
      `delete from comment_requests where author_id = $1 and created_at < $2::timestamptz - ${KEPT_REQUESTS}`,
      [author.id, now],
    );
    await tx.query(
      `insert into comment_requests (author_id, key, fingerprint, event_id, comment_id, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [author.id, key, fingerprint, eventId, comment.id, now],
    );
    return comment.id;
  };
  return writing.turns(`author ${author.id}`, () => changing(writing, eventId, post, author.id));
}

export interface Editing {
  listing: ListingRow;
  commentId: number;
  authorId: number;
  body: EditCommentBody;
}

/** Changes the words of a comment, by its author. The same words change nothing. Throws 403, 404, 409 by code. */
export const editComment = (
  writing: Writing,
  { listing, commentId, authorId, body }: Editing,
  now: Date,
): Promise<void> =>
  changing(writing, listing.eventId, async (tx) => {
    const comment = await presentComment(tx, commentId);
    if (comment.authorId !== authorId) throw forbidden();
    if (comment.hiddenAt) throw new Rejected('comment-hidden', 'A moderator hid this comment. It cannot be changed.');
    if (comment.text === body.text) return;
    refuseWhenClosed(listing, now);
    const textKey = textKeyOf(body.text);
    await refuseRepeated(tx, { ...comment, textKey });
    await tx.query('update comments set text = $2, text_key = $3, edited_at = $4 where id = $1', [
      commentId,
      body.text,
      textKey,
      now,
    ]);
  });

/**
 * Erases a comment, by its author, or (`authorId` null) by an admin. It stays as a place without words while it has answers; what a moderator hid stays so too, so that
 * the same words cannot be posted again. One that is gone is left alone. Throws 403.
 */
export const deleteComment = (
  writing: Writing,
  { eventId, commentId, authorId }: { eventId: number; commentId: number; authorId: number | null },
  now: Date,
): Promise<void> =>
  changing(writing, eventId, async (tx) => {
    const comment = await commentById(tx, commentId);
    if (!comment || comment.deletedAt) return;
    if (authorId !== null && comment.authorId !== authorId) throw forbidden();
    if (!comment.hiddenAt) await count(tx, comment, -1);
    const { rowCount: hasAnswers } = await tx.query('select from comments where parent_id = $1 limit 1', [commentId]);
    if (comment.hiddenAt || hasAnswers) {
      await tx.query('delete from comment_reports where comment_id = $1', [commentId]);
      await tx.query(
        `update comments set text = null, text_key = case when hidden_at is null then null else text_key end,
           deleted_at = $2, open_reports = 0 where id = $1`,
        [commentId, now],
      );
      return;
    }
    await tx.query('delete from comments where id = $1', [commentId]);
    if (comment.parentId !== null)
      await tx.query(
        `delete from comments p where id = $1 and deleted_at is not null and hidden_at is null
         and not exists (select from comments where parent_id = p.id)`,
        [comment.parentId],
      );
  });
