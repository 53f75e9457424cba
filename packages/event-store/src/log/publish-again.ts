import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { holdsLock } from '../pg/advisory-lock.ts';

const RELAY = 'relay';
const LOCK = `hashtextextended('${RELAY}', 1)`;
/** Ends the session that holds the relay's lock (`follow`). */
const END_LEADER = `select pg_terminate_backend(pid) from pg_locks where ${holdsLock(LOCK)} and pid <> $1`;
const LOCK_TIMEOUT = '30s';
/** How long the lock request must have been queued before the leader's session is ended, in ms. */
const QUEUED_MS = 200;

/**
 * Moves the relay back to the beginning of the log, even while it runs. The relay then publishes every event again with
 * the same message ids, so consumers skip messages that they have handled. Returns the number of events. Uses two
 * connections of the pool.
 */
export async function publishAgain(pool: Pool): Promise<number> {
  const client = await pool.connect();
  try {
    const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    // The lock request is queued before the leader's session ends. Otherwise a standby could become the leader first
    // and move the checkpoint forward.
    const locked = client.query(`select pg_advisory_lock(${LOCK})`);
    while (!(await Promise.race([locked, pause(QUEUED_MS)]))) await pool.query(END_LEADER, [own[0]!.pid]);
    await client.query(
      `insert into checkpoints (name, tx, position) values ('${RELAY}', '0', 0)
       on conflict (name) do update set tx = excluded.tx, position = excluded.position`,
    );
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from events');
    return rows[0]!.count;
  } finally {
    // Ends the session, which releases the lock.
    client.release(true);
  }
}
