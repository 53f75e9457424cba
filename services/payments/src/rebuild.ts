import { rebuild as rebuildModels } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { paymentReadModel } from './payment/stream.ts';
import { payoutReadModel } from './payout/stream.ts';
import { rebuildRevenue } from './revenue/rebuild.ts';

/**
 * Truncates the payments' read models and the revenue sums, and rebuilds them from the log. Returns each table's digest
 * before and after.
 */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0 });
  try {
    const rebuilt = await rebuildModels(pool, [paymentReadModel, payoutReadModel]);
    return { ...rebuilt, tables: [...rebuilt.tables, await rebuildRevenue(pool)] };
  } finally {
    await pool.end();
  }
}
