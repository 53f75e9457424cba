import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';

const HOUR_MS = 3_600_000;

/** Forgets as Stripe does: idempotency keys after a day, events after thirty. */
export function tidy(pool: Pool, log: Logger) {
  let timer: NodeJS.Timeout | undefined;
  const clean = () =>
    Promise.all([
      pool.query(`delete from idempotency_keys where created < now() - interval '1 day'`),
      pool.query(`delete from events where created < now() - interval '30 days'`),
    ]).catch((error: unknown) => log.warn({ err: error }, 'old rows could not be removed'));
  return {
    start(): void {
      timer = setInterval(() => void clean(), HOUR_MS);
      timer.unref();
    },
    stop: (): void => clearInterval(timer),
  };
}
