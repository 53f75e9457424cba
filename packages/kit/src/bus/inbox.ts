import type { Pool, PoolClient } from 'pg';
import { prepared } from '@beltway/event-store';
import { transactionEnded } from '../postgres/after-commit.ts';

const INSERT = 'insert into inbox (group_name, message_id) values ($1, $2) on conflict do nothing';
const INSERT_ALL =
  'insert into inbox (group_name, message_id) select $1, unnest($2::uuid[]) on conflict do nothing returning message_id';
/** The row by which `probe` writes. */
const PROBE = '00000000-0000-8000-8000-000000000000';

/** What a message does in the service's own database. */
export interface Effect {
  /** The message's. */
  id: string;
  run: (tx: PoolClient) => Promise<void>;
}

/**
 * The messages a group has handled: table `inbox` of the service's own database (`packages/kit/migrations/inbox`). Nothing is ever
 * forgotten: topics keep their messages for ever, and a group whose place is lost (Kafka drops it after a week without members) gets
 * every one of them again.
 */
export interface Inbox {
  /** Those of `ids` that were handled, in lower case. */
  known(ids: string[]): Promise<Set<string>>;
  /** Runs `effect` and records its message in one transaction. False, and nothing ran, when it was handled before. */
  once(id: string, effect: (tx: PoolClient) => Promise<void>): Promise<boolean>;
  /**
   * Runs effects in order and records their messages in one transaction. Returns which of them ran, in the order given: a message
   * that was handled before, or that occurs twice, does not run again. When one throws, none happened.
   */
  onceEach(effects: Effect[]): Promise<boolean[]>;
  /** Remembers a message whose effect, if any, is written elsewhere. */
  remember(id: string): Promise<void>;
  /** Rejects when the database does not write in time. */
  probe(): Promise<void>;
}

export function openInbox(pool: Pool, group: string): Inbox {
  async function onceEach(effects: Effect[]): Promise<boolean[]> {
    const tx = await pool.connect();
    let broken: Error | undefined;
    try {
      await tx.query('begin');
      // First, not last: another member with one of these messages waits here, and then finds it handled.
      const { rows } = await tx.query<{ message_id: string }>({
        name: 'inbox-all',
        text: INSERT_ALL,
        values: [group, effects.map(({ id }) => id)],
      });
      const left = new Set(rows.map(({ message_id }) => message_id));
      const ran: boolean[] = [];
      for (const { id, run } of effects) {
        const isNew = left.delete(id.toLowerCase());
        if (isNew) await run(tx);
        ran.push(isNew);
      }
      // Postgres answers COMMIT of a failed transaction with a rollback, and that is not an error to the driver.
      const { command } = await tx.query('commit');
      if (command !== 'COMMIT') throw new Error('The handler swallowed an error of its transaction');
      transactionEnded(tx, true);
      return ran;
    } catch (error) {
      transactionEnded(tx, false);
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

    once: async (id, run) => (await onceEach([{ id, run }]))[0] ?? false,

    onceEach,

    async remember(id) {
      await pool.query({ name: 'inbox', text: INSERT, values: [group, id] });
    },

    async probe() {
      await pool.query(
        'insert into inbox (group_name, message_id) values ($1, $2) on conflict (group_name, message_id) do update set handled_at = now()',
        [group, PROBE],
      );
    },
  };
}
