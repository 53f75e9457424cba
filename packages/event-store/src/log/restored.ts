import type { Client } from 'pg';

const FOREIGN = `coalesce((select tx from events order by tx desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot()), false)`;

/**
 * Numbers of transactions are a server's own. A log that came here by dump and restore may carry numbers that are still to come, and
 * its readers would wait for them, and pass what is appended before. All of it is committed: it becomes one old transaction, in
 * the order of its positions, and every checkpoint goes back to before the first event it has not seen.
 */
export async function adoptRestored(client: Client): Promise<void> {
  const { rows } = await client.query<{ foreign: boolean }>(`select ${FOREIGN} as foreign`);
  if (!rows[0]?.foreign) return;
  await client.query({
    // Asked again under the lock: another reader may have done it meanwhile, and what was appended since has a number that is right.
    text: `begin;
      set local statement_timeout = 0;
      lock table events in share row exclusive mode;
      do $$ begin
        if ${FOREIGN} then
          update checkpoints c set tx = '0', position = coalesce(
            (select min(e.position) - 1 from events e where (e.tx, e.position) > (c.tx, c.position)),
            (select max(e.position) from events e));
          update events set tx = '0';
        end if;
      end $$;
      commit`,
    query_timeout: 3_600_000,
  } as { text: string });
}
