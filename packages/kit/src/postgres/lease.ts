import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

export interface LeaseOptions {
  /** One holder per name in a database: table `leases` (`packages/kit/migrations/leases`). */
  name: string;
  /** How long a holder that is frozen or dead keeps the others out. Renewed three times as often. */
  ms: number;
}

/**
 * Runs `work` while no other instance does, and releases the lease afterwards. False, and nothing is run, when another one holds it.
 * No transaction and no connection is kept meanwhile: `work` may call other processes. A lease can end while its holder is frozen or
 * cut off from the database, so `work` asks `held()` before each step, and its steps must be safe to repeat all the same.
 */
export async function withLease(
  pool: Pool,
  { name, ms }: LeaseOptions,
  work: (held: () => boolean) => Promise<unknown>,
): Promise<boolean> {
  // Of this run, not of this process: a run that was frozen is not taken for the one that came after it.
  const holder = randomUUID();
  // By the process's own clock from before the statement was sent: never later than the database's.
  let until = performance.now() + ms;
  const held = () => performance.now() < until;
  if (!(await acquire(pool, name, holder, ms))) return false;

  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      if (!held()) return;
      const next = performance.now() + ms;
      const renewed = await renew(pool, name, holder, ms);
      // An answer that comes after the end changes nothing: `work` may have stopped, and must not keep the others out.
      until = renewed && held() ? next : 0;
    });
    // The database did not answer: the lease ends by itself unless a later attempt succeeds.
    renewing = renewing.catch(() => undefined);
  }, ms / 3);
  try {
    await work(held);
  } finally {
    clearInterval(timer);
    await renewing;
    // Not released, it runs out.
    await release(pool, name, holder).catch(() => undefined);
  }
  return true;
}

async function acquire(pool: Pool, name: string, holder: string, ms: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into leases (name, holder, expires_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3 / 1000.0))
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
       where leases.expires_at <= clock_timestamp()`,
    [name, holder, ms],
  );
  return rowCount === 1;
}

/** Not after it ended: another may have had it since. */
async function renew(pool: Pool, name: string, holder: string, ms: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update leases set expires_at = clock_timestamp() + make_interval(secs => $3 / 1000.0)
     where name = $1 and holder = $2 and expires_at > clock_timestamp()`,
    [name, holder, ms],
  );
  return rowCount === 1;
}

const release = (pool: Pool, name: string, holder: string) =>
  pool.query('delete from leases where name = $1 and holder = $2', [name, holder]);
