import { rebuild as rebuildModels } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { paymentReadModel } from './payment/payments.ts';
import { payoutReadModel } from './payout/payouts.ts';
import { upcasts } from './upcasts.ts';

/** Truncates the read models of the payments and replays the log; answers each table's digest before and after. */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0 });
  try {
    return await rebuildModels(pool, [paymentReadModel, payoutReadModel], upcasts);
  } finally {
    await pool.end();
  }
}
