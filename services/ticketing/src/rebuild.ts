import { rebuild as rebuildModels } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { saleReadModel } from './sale/stream.ts';

/**
 * Truncates the read models of all sales and replays the log. Returns the digest of each table before and after the
 * rebuild.
 */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0 });
  try {
    return await rebuildModels(pool, [saleReadModel]);
  } finally {
    await pool.end();
  }
}
