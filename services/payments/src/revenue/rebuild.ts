import { anyOf } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { kysely } from '../db.ts';
import { tableDigest, type Rebuilt } from '@beltway/event-store';
import { addSums, REVENUE_FOLLOWER } from './follow.ts';
import { MONEY_EVENTS, sumsOf } from './sums.ts';

interface Place {
  tx: string;
  position: string;
}
type Stored = Place & { stream: string; version: number; type: string; data: object; occurredAt: Date };

/**
 * Recomputes `revenue_days` from the beginning of the log to its follower's checkpoint, in one transaction. The
 * transaction blocks the follower, but no readers. Reads `page` log events at a time. Returns the table's digest before
 * and after.
 */
export async function rebuildRevenue(pool: Pool, page = 4_000): Promise<Rebuilt> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query('lock table revenue_days in exclusive mode');
    const before = await tableDigest(client, 'revenue_days');
    await kysely(client).deleteFrom('revenueDays').execute();
    const { rows } =
      await sql<Place>`select tx::text, position::text from checkpoints where name = ${REVENUE_FOLLOWER}`.execute(
        kysely(client),
      );
    if (rows[0]) await addUpTo(client, rows[0], page);
    const after = await tableDigest(client, 'revenue_days');
    await client.query('commit');
    broken = false;
    return { table: 'revenue_days', rows: after.rows, before: before.digest, after: after.digest };
  } finally {
    client.release(broken);
  }
}

async function addUpTo(client: PoolClient, end: Place, page: number): Promise<void> {
  for (let at: Place = { tx: '0', position: '0' }; ;) {
    const { rows } = await sql<Stored>`
      select stream, version::int, type, data, occurred_at as "occurredAt", tx::text, position::text from events
      where (tx, position) > (${at.tx}::xid8, ${at.position}::bigint) and (tx, position) <= (${end.tx}::xid8, ${end.position}::bigint)
        and type = ${anyOf(MONEY_EVENTS)} order by events.tx, events.position limit ${page}`.execute(kysely(client));
    const last = rows.at(-1);
    if (!last) return;
    await addSums(client, sumsOf(rows));
    at = last;
  }
}
