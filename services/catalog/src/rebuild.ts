import { rebuild as replay, type Rebuilt } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { adReadModel } from './ads/stream.ts';
import { listingReadModel } from './event/stream.ts';

/** Truncates the read models and replays the log (`npm run rebuild`). */
export async function rebuild(databaseUrl: string): Promise<{ tables: Rebuilt[]; events: number }> {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0 });
  try {
    return await replay(pool, [listingReadModel, adReadModel]);
  } finally {
    await pool.end();
  }
}
