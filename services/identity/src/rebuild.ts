import { rebuild as replay } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { readModels } from './read-models.ts';

/** Empties the read models and replays the log; answers each table's digest before and after. */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0, statement_timeout: 0 });
  try {
    return await replay(pool, readModels);
  } finally {
    await pool.end();
  }
}
