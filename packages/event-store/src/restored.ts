import type { Client } from 'pg';

/**
 * Numbers of transactions are a server's own. A log that came here by dump and restore may carry numbers that are still to come, and
 * its readers would wait for them, and pass what is appended before. All of it is committed: it becomes one old transaction, in
 * the order of its positions, and every checkpoint goes back to before the first event it has not seen.
 */
export async function adoptRestored(client: Client): Promise<void> {
  const { rows } = await client.query<{ foreign: boolean }>(
    `select coalesce((select tx from events order by tx desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot()), false) as foreign`,
  );
  if (!rows[0]?.foreign) return;
  await client.query({
    text: `begin;
      set local statement_timeout = 0;
      lock table events in share row exclusive mode;
      update checkpoints c set tx = '0', position = coalesce(
        (select min(e.position) - 1 from events e where (e.tx, e.position) > (c.tx, c.position)),
        (select max(e.position) from events e));
      update events set tx = '0';
      commit`,
    query_timeout: 3_600_000,
  } as { text: string });
}
