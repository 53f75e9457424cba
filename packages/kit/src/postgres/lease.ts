import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

export interface LeaseOptions {
  /**
   * The lease's name, unique per database. A lease has one holder at a time. Stored in the table `leases`
   * (`packages/kit/migrations/leases`).
   */
  name: string;
  /** How long a frozen or dead holder blocks others, in ms. The lease is renewed three times per this duration. */
  ms: number;
}

/**
 * Runs `work` while no other instance does, then releases the lease. If another instance holds the lease, returns false
 * and does not run `work`. Keeps no transaction or connection open during the work, so `work` may call other processes.
 * A lease can expire while its holder is frozen or cut off from the database. So `work` must check `held()` before each
 * step, and its steps must be safe to repeat.
 */
export async function withLease(
  pool: Pool,
  { name, ms }: LeaseOptions,
  work: (held: () => boolean) => Promise<unknown>,
): Promise<boolean> {
  // Identifies this run, not the process, so that a run that was frozen is not mistaken for its successor.
  const holder = randomUUID();
  // The expiry according to the process's own clock. The clock is read before the statement is sent, so this expiry is
  // never later than the expiry in the database.
  let until = performance.now() + ms;
  const held = () => performance.now() < until;
  if (!(await acquire(pool, name, holder, ms))) return false;

  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      if (!held()) return;
      const next = performance.now() + ms;
      const renewed = await renew(pool, name, holder, ms);
      // A renewal that succeeds after the expiry has no effect, because `work` may have stopped and must not block
      // others.
      until = renewed && held() ? next : 0;
    });
    // The database did not respond. The lease expires unless a later renewal succeeds.
    renewing = renewing.catch(() => undefined);
  }, ms / 3);
  try {
    await work(held);
  } finally {
    clearInterval(timer);
    await renewing;
    // If the release fails, the lease expires.
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

/** Fails after the expiry, because another process may have held the lease in between. */
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
