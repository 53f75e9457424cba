import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';

const HOUR_MS = 3_600_000;

/**
 * Drops what nobody can use any more: sessions a day past their end (with their tokens), tokens that expired, waits and budgets
 * that ended, and password hashes whose registration never came to be.
 */
export async function sweep(pool: Pool): Promise<void> {
  await pool.query(`delete from sessions where ends_at < now() - interval '1 day'`);
  await pool.query(`delete from refresh_tokens where issued_at < now() - interval '31 days'`);
  await pool.query(`delete from login_attempts where tried_at < now() - interval '1 day'`);
  await pool.query(`delete from login_budgets where spent_until < now() - interval '1 day'`);
  await pool.query(`delete from login_places where due < now() - interval '1 day'`);
  await pool.query(
    `delete from credentials c where created_at < now() - interval '1 day'
     and not exists (select from users u where u.credential_id = c.id)`,
  );
}

/** Sweeps hourly; answers how to stop. Each instance may: a row is deleted once. */
export function sweepHourly(pool: Pool, log: Logger): () => void {
  const timer = setInterval(() => {
    sweep(pool).catch((error: unknown) => log.warn({ err: error }, 'old rows were not swept'));
  }, HOUR_MS).unref();
  return () => clearInterval(timer);
}
