import type { Pool, PoolClient } from 'pg';
import type { CommentsCountedV1 } from '@beltway/contracts/realtime/comments';
import { uuidFrom } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import type { Bus } from '@beltway/kit/bus';
import { enqueue, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { TOPIC } from '../publish.ts';

const QUEUE: Queue<object> = {
  name: 'comment-counts',
  ...{ maxAttempts: 20, pauseMs: backoff(1_000, 600_000), leaseSeconds: 30, concurrency: 10, keepsDone: false },
};

/** The number of visible comments of an event, including answers. */
export async function commentCount(db: Queryable, eventId: number): Promise<number> {
  const counted = await kysely(db)
    .selectFrom('eventComments')
    .select('comments')
    .where('eventId', '=', eventId)
    .executeTakeFirst();
  return counted?.comments ?? 0;
}

/**
 * Changes the number of comments in the transaction that changes a comment, and queues the new number for the catalog.
 */
export async function countComments(tx: PoolClient, eventId: number, by: 1 | -1): Promise<void> {
  await kysely(tx)
    .insertInto('eventComments')
    // At least 0, because PostgreSQL checks the row's constraints before the conflict.
    .values({ eventId, comments: Math.max(by, 0), version: 1 })
    .onConflict((conflict) =>
      conflict.column('eventId').doUpdateSet((eb) => ({
        comments: eb('eventComments.comments', '+', by),
        version: eb('eventComments.version', '+', 1),
      })),
    )
    .execute();
  await enqueue(tx, QUEUE, [{ key: String(eventId), data: {} }], { again: true });
}

/**
 * Publishes numbers of comments. Each message has the current number, whichever change caused the message. The catalog
 * keeps the newest number.
 */
export const startCommentCounts = ({
  pool,
  log,
  bus,
}: {
  pool: Pool;
  log: Logger;
  bus: Pick<Bus, 'publish'>;
}): Worker =>
  startQueue({ pool, log }, QUEUE, async ({ key }) => {
    const counted = await kysely(pool)
      .selectFrom('eventComments')
      .select(['comments', 'version', sql<Date>`now()`.as('now')])
      .where('eventId', '=', Number(key))
      .executeTakeFirst();
    if (!counted) return;
    const { comments, version, now } = counted;
    const id = uuidFrom(`comments-counted ${key} ${version}`);
    const message: CommentsCountedV1 = {
      ...{ id, type: 'realtime.comments-counted', version: 1, key: `event-${key}`, occurredAt: now.toISOString() },
      ...{ correlationId: id, causationId: id, data: { eventId: Number(key), comments, version } },
    };
    await bus.publish(TOPIC, [message]);
  });
