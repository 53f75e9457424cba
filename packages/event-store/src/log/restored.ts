import type { Client } from 'pg';

const FOREIGN = `coalesce((select tx from events order by tx desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot()), false)`;

/**
 * Makes a restored log readable. Transaction numbers are specific to a server. A log from a dump may contain numbers
 * that this server has not reached yet; readers would wait for these numbers and skip newer appends. All events of such
 * a log are committed, so they are renumbered as one old transaction in the order of their positions. Each checkpoint
 * moves back to before the first event that it has not handled.
 */
export async function adoptRestored(client: Client): Promise<void> {
  const { rows } = await client.query<{ foreign: boolean }>(`select ${FOREIGN} as foreign`);
  if (!rows[0]?.foreign) return;
  await client.query({
    // Checked again under the lock: another process may have renumbered the log already, and later appends have valid
    // numbers.
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
