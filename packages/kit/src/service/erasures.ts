import type { Pool } from 'pg';
import { UserErasedV1 } from '@beltway/contracts/identity/accounts';
import { Erasures, MAX_ERASURES, type Erasure, type KnownAccounts } from '@beltway/contracts/identity/people';
import { backoff } from '../backoff.ts';
import type { Bus } from '../bus/bus.ts';
import { consume, on } from '../bus/consume.ts';
import type { InternalClient } from '../http/instances/internal.ts';
import { enqueue, startQueue, type Queue } from '../jobs/queue.ts';
import type { Logger } from '../observe/logger.ts';
import { startPolling } from '../polling.ts';
import { afterCommit } from '../postgres/after-commit.ts';
import { transaction, type Queryable } from '../postgres/pool.ts';

/**
 * Pauses in seconds before an erasure runs again. An erasure is repeated, because a request that was accepted before
 * the account's end, or an earlier job, may have written data since.
 */
const AGAIN = [60, 20 * 60, 24 * 3_600];
/** The queue of erasures. The key of a job is the account id. Jobs are retried for about two days. */
const erasures: Queue<{ runs: number }> = {
  ...{ name: 'erasure', maxAttempts: 50, pauseMs: backoff(60_000, 3_600_000) },
  ...{ leaseSeconds: 60, concurrency: 1, keepsDone: false },
};
/** Pause in ms before identity is called again if it did not respond. */
const ASK_AGAIN_MS = 10_000;
const COMPARE_MS = 3_600_000;

export interface ErasureDeps {
  /** The service's own database, migrated by `packages/kit/migrations/jobs`, then `erasures`. */
  pool: Pool;
  bus: Bus;
  log: Logger;
  /** The consumer group: `ticketing.erasures`. */
  group: string;
  identity: Pick<InternalClient, 'get' | 'post'>;
  /** Erases the service's data of the account. Must be idempotent, because it is called again if it throws. */
  erase: (userId: number) => Promise<void>;
  /** A query for the highest account id in the service's data, or null. */
  highestAccount: string;
  /** Pause in ms before identity is called again if it did not respond. Default 10 s. */
  retryMs?: number;
}

export interface ErasureFollower {
  stop(): Promise<void>;
  /** Runs all erasures that are due. */
  work(): Promise<void>;
  /**
   * Requests erased accounts from identity. Reports to identity the erased accounts that identity no longer knows, and
   * the highest account id known here.
   */
  compare(): Promise<void>;
}

const NOTE = `insert into erasures (user_id, erased_at) select * from unnest($1::integer[], $2::timestamptz[])
  on conflict (user_id) do update set erased_at = excluded.erased_at where erasures.erased_at < excluded.erased_at
  returning user_id as "userId"`;

const jobOf = ({ userId }: { userId: number }) => ({ key: String(userId), data: { runs: 0 } });

/** Records erasures. Enqueues the erasures that are new or have a later time. */
async function note(tx: Queryable, items: Erasure[]): Promise<void> {
  const values = [items.map(({ userId }) => userId), items.map(({ erasedAt }) => erasedAt)];
  const { rows } = await tx.query<{ userId: number }>(NOTE, values);
  if (rows.length > 0) await enqueue(tx, erasures, rows.map(jobOf), { again: true });
}

/**
 * Erases a service's data of erased accounts: when identity publishes the erasure, and again after a minute, twenty
 * minutes and a day. At the start and every hour, compares its erasures with identity's, so that an older backup of
 * either database does not bring data back and no account id is assigned twice.
 */
export async function followErasures(deps: ErasureDeps): Promise<ErasureFollower> {
  const { pool, bus, log, group, identity, erase, highestAccount, retryMs = ASK_AGAIN_MS } = deps;

  const working = startQueue({ pool, log }, erasures, async ({ key, data: { runs } }) => {
    await erase(Number(key));
    const againAfter = AGAIN[runs];
    return againAfter === undefined ? {} : { againAfter, data: { runs: runs + 1 } };
  });

  async function compare(): Promise<void> {
    for (let after = 0; ;) {
      const { items: theirs } = Erasures.parse(await identity.get(`/internal/erasures?after=${after}`));
      const end = theirs.length < MAX_ERASURES ? null : theirs.at(-1)!.userId;
      const { rows: ours } = await pool.query<{ userId: number; erasedAt: Date }>(
        `select user_id as "userId", erased_at as "erasedAt" from erasures
         where user_id > $1 and ($2::integer is null or user_id <= $2) order by user_id`,
        [after, end],
      );
      const known = new Set(theirs.map(({ userId }) => userId));
      const missing = ours.filter(({ userId }) => !known.has(userId));
      for (let from = 0; from < missing.length; from += MAX_ERASURES)
        await identity.post('/internal/erasures', {
          items: missing
            .slice(from, from + MAX_ERASURES)
            .map(({ userId, erasedAt }) => ({ userId, erasedAt: erasedAt.toISOString() })),
        } satisfies Erasures);
      await transaction(pool, async (tx) => {
        await note(tx, theirs);
        // Includes erasures that an operator inserted in this database.
        if (missing.length > 0) await enqueue(tx, erasures, missing.map(jobOf));
      });
      if (end === null) break;
      after = end;
    }
    working.wake();
    const { rows } = await pool.query<{ highest: number | null }>(
      `select greatest((${highestAccount}), (select max(user_id) from erasures)) as highest`,
    );
    await identity.post('/internal/known-accounts', { highest: rows[0]?.highest ?? 0 } satisfies KnownAccounts);
  }

  let comparedAt = -Infinity;
  const comparing = startPolling(log, 'compare accounts with identity', retryMs, async () => {
    if (performance.now() - comparedAt < COMPARE_MS) return false;
    await compare();
    comparedAt = performance.now();
    return false;
  });
  comparing.wake();

  const consumer = await consume({
    pool,
    bus,
    log,
    group,
    topics: ['identity.events'],
    handlers: {
      'identity.user-erased': on(UserErasedV1, async ({ data, occurredAt }, tx) => {
        await note(tx, [{ userId: data.userId, erasedAt: occurredAt }]);
        afterCommit(tx, working.wake);
      }),
    },
  });

  return {
    compare,
    work: working.work,
    stop: async () => void (await Promise.all([consumer.stop(), working.stop(), comparing.stop()])),
  };
}
