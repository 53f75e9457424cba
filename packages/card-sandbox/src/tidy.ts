import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';

const HOUR_MS = 3_600_000;

/** Forgets as Stripe does: idempotency keys after a day, events after thirty. */
export const tidyHourly = (pool: Pool, log: Logger): Poller =>
  startPolling(log, 'tidy', HOUR_MS, async () => {
    await pool.query(`delete from idempotency_keys where created < now() - interval '1 day'`);
    await pool.query(`delete from events where created < now() - interval '30 days'`);
    return false;
  });
