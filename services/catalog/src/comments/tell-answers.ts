import { uuidFrom } from '@beltway/event-store';
import type { CommentAnsweredV1 } from '@beltway/contracts/realtime/notifications';
import type { Bus } from '@beltway/kit/bus';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import { TOPIC } from '../publish.ts';

const POLL_MS = 1_000;
const BATCH = 200;

interface Answered {
  comment: { id: number; eventId: number };
  /** The comment that is answered. */
  answered: { id: number; authorId: number };
  at: Date;
}

/** In the transaction that writes the answer: comments are no log events, so this row is what the message is made of. */
export const queueAnswer = (tx: Queryable, { comment, answered, at }: Answered) =>
  tx.query(
    `insert into answers_to_tell (comment_id, event_id, answer_to, author_id, answered_at) values ($1, $2, $3, $4, $5)`,
    [comment.id, comment.eventId, answered.id, answered.authorId, at],
  );

interface Row extends Pick<CommentAnsweredV1['data'], 'eventId' | 'commentId' | 'answerTo' | 'authorId'> {
  at: Date;
}

function messageOf({ at, ...data }: Row): CommentAnsweredV1 {
  // Made of the comment alone: published twice, it is one message.
  const id = uuidFrom(`comment-answered ${data.commentId} ${at.toISOString()}`);
  const key = `event-${data.eventId}`;
  const type = 'catalog.comment-answered' as const;
  return { id, type, version: 1, key, occurredAt: at.toISOString(), correlationId: id, causationId: id, data };
}

/** Says of a batch of comments that they were answered; false when there was none. A crash in between says it again, by the same id. */
export async function tellAnswers(db: Queryable, bus: Pick<Bus, 'publish'>): Promise<boolean> {
  const { rows } = await db.query<Row>(
    `select event_id as "eventId", comment_id as "commentId", answer_to as "answerTo", author_id as "authorId", answered_at as at
     from answers_to_tell order by comment_id limit ${BATCH}`,
  );
  if (rows.length === 0) return false;
  await bus.publish(TOPIC, rows.map(messageOf));
  await db.query('delete from answers_to_tell where comment_id = any($1::integer[])', [
    rows.map(({ commentId }) => commentId),
  ]);
  return rows.length === BATCH;
}

/** Tells the world of answers to comments, soon after they were written. */
export const startTellingAnswers = ({ pool, bus, log }: { pool: Queryable; bus: Bus; log: Logger }): Poller =>
  startPolling(log, 'tell answers', POLL_MS, () => tellAnswers(pool, bus));
