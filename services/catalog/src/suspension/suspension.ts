import type { SuspensionChangedV1 } from '@beltway/contracts/identity/accounts';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, enqueueKeys, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { excluded } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import type { Listings } from '../event/stream.ts';

/**
 * Suspends the events of a suspended account, and resumes them when the account is reinstated
 * (services/identity/PRODUCT.md#moderation). The key of a job is the account. If the account changes while its job
 * runs, the job runs again.
 */
const suspensions: Queue<object> = {
  ...{ name: 'organizer-suspension', maxAttempts: 300, pauseMs: backoff(1_000, 300_000) },
  ...{ leaseSeconds: 60, concurrency: 1, keepsDone: false },
};

/**
 * Stores whether an account is suspended. Call it in the transaction that handles the message. Ignores older messages.
 */
export async function keepSuspension(tx: Queryable, account: SuspensionChangedV1['data']): Promise<void> {
  const { numInsertedOrUpdatedRows: kept } = await kysely(tx)
    .insertInto('organizerSuspensions')
    .values(account)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet((eb) => excluded(eb, ['isSuspended', 'version']))
        .whereRef('organizerSuspensions.version', '<', 'excluded.version'),
    )
    .executeTakeFirst();
  if (kept === 1n) await enqueue(tx, suspensions, [{ key: String(account.userId), data: {} }], { again: true });
}

/**
 * If the organizer of a newly published event is suspended, queues the job again. The job may have read the account's
 * events before this event was published.
 */
export const checkPublished = (db: Queryable, organizerId: number) =>
  enqueueKeys(
    db,
    suspensions,
    sql<{ key: string }>`select user_id::text as key from organizer_suspensions
      where user_id = ${organizerId} and is_suspended`,
  );

const PAGE = 100;

/** A part of the list of an account's events, without canceled events. */
const eventsOf = (pool: Pool, organizerId: number, after: number) =>
  kysely(pool)
    .selectFrom('listings')
    .select('eventId')
    .where('organizerId', '=', organizerId)
    .where('status', '<>', 'canceled')
    .where('eventId', '>', after)
    .orderBy('eventId')
    .limit(PAGE)
    .execute();

export interface SuspensionDeps {
  pool: Pool;
  listings: Listings;
  log: Logger;
}

const suspensionOf = (pool: Pool, userId: number) =>
  kysely(pool)
    .selectFrom('organizerSuspensions')
    .select(['isSuspended', 'version'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/**
 * Suspends or resumes each event of an account. A command without effect writes nothing, so a repeat is harmless. If a
 * run was delayed and lost its lease, it reads the account's state again at its end, and applies the state if it is
 * newer.
 */
export const startSuspending = ({ pool, listings, log }: SuspensionDeps): Worker =>
  startQueue({ pool, log }, suspensions, async ({ key, signal }) => {
    const organizerId = Number(key);
    let account = await suspensionOf(pool, organizerId);
    for (let after = 0; account;) {
      signal.throwIfAborted();
      const { isSuspended, version } = account;
      const type = isSuspended ? 'SuspendEvent' : 'ResumeEvent';
      const rows = await eventsOf(pool, organizerId, after);
      for (const { eventId } of rows)
        await listings.handle(
          eventId,
          { type, cause: 'organizer' },
          { commandId: `${type}\0${organizerId}\0${version}\0${eventId}`, correlationId: `suspension-${key}` },
        );
      const isLast = rows.length < PAGE;
      account = await suspensionOf(pool, organizerId);
      if (account?.version === version && isLast) return;
      after = account?.version === version ? rows.at(-1)!.eventId : 0;
    }
  });
