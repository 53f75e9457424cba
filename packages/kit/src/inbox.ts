import type { Pool, PoolClient } from 'pg';
import { prepared } from '@beltway/event-store';

const KEPT_DAYS = 30;
const SWEEP_ROWS = 5_000;

/** The messages a group has handled: table `inbox` of the service's own database (`packages/kit/migrations/inbox`). */
export interface Inbox {
  /** Those of `ids` that were handled, in lower case. */
  known(ids: string[]): Promise<Set<string>>;
  /** Runs `effect` and remembers the message in one transaction. False, and nothing is run, when it was handled before. */
  once(id: string, effect: (tx: PoolClient) => Promise<void>): Promise<boolean>;
  /** Forgets what is older than any delivery can be late. */
  sweep(): Promise<void>;
}

export function openInbox(pool: Pool, group: string): Inbox {
  async function once(id: string, effect: (tx: PoolClient) => Promise<void>): Promise<boolean> {
    const tx = await pool.connect();
    let broken: Error | undefined;
    try {
      await tx.query('begin');
      // First, not last: whoever else has this message in hand waits here, and then finds it done.
      const { rowCount } = await tx.query({
        name: 'inbox',
        text: 'insert into inbox (group_name, message_id) values ($1, $2) on conflict do nothing',
        values: [group, id],
      });
      if (rowCount === 1) await effect(tx);
      // Postgres answers COMMIT of a failed transaction with a rollback, and that is not an error to the driver.
      const { command } = await tx.query('commit');
      if (command !== 'COMMIT') throw new Error('The handler swallowed an error of its transaction');
      return rowCount === 1;
    } catch (error) {
      await tx.query('rollback').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      tx.release(broken);
    }
  }

  return {
    async known(ids) {
      const { rows } = await pool.query<{ message_id: string }>(
        prepared('select message_id from inbox where group_name = $1 and message_id = any($2::uuid[])', [group, ids]),
      );
      return new Set(rows.map(({ message_id }) => message_id));
    },

    once,

    async sweep() {
      for (let deleted = SWEEP_ROWS; deleted === SWEEP_ROWS;) {
        const { rowCount } = await pool.query(
          `delete from inbox where ctid = any(array(
             select ctid from inbox where group_name = $1 and handled_at < now() - make_interval(days => $2) limit $3))`,
          [group, KEPT_DAYS, SWEEP_ROWS],
        );
        deleted = rowCount ?? 0;
      }
    },
  };
}
