import { rebuild as rebuildModels } from '@beltway/event-store';
import { openPool } from '@beltway/kit/postgres';
import { roomReadModel } from './chat/stream.ts';

/** Truncates the read models of the chat rooms and replays the log. Returns each table's digest before and after. */
export async function rebuild(databaseUrl: string) {
  const pool = openPool(databaseUrl, { max: 2, query_timeout: 0 });
  try {
    return await rebuildModels(pool, [roomReadModel]);
  } finally {
    await pool.end();
  }
}
