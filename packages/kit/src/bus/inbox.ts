import type { Pool, PoolClient } from 'pg';
import { prepared } from '@beltway/event-store';
import { transactionEnded } from '../postgres/after-commit.ts';

const INSERT = 'insert into inbox (group_name, message_id) values ($1, $2) on conflict do nothing';
const INSERT_ALL =
  'insert into inbox (group_name, message_id) select $1, unnest($2::uuid[]) on conflict do nothing returning message_id';
/** The id of the row that `probe` writes. */
const PROBE = '00000000-0000-8000-8000-000000000000';

/** A message's effect in the service's own database. */
export interface Effect {
  /** The message's id. */
  id: string;
  run: (tx: PoolClient) => Promise<void>;
}

/**
 * The messages that a group has handled: table `inbox` of the service's own database (`packages/kit/migrations/inbox`).
 * Rows are never deleted, because old messages can arrive again: a group whose position is lost (Kafka drops the
 * position after a week without members) receives all messages of its topics, and a relay may publish its whole log
 * again (`publishAgain`).
 */
export interface Inbox {
  /** Returns those `ids` that were handled before, in lowercase. */
  known(ids: string[]): Promise<Set<string>>;
  /**
   * Runs `effect` and records its message in one transaction. If the message was handled before, returns false and does
   * not run `effect`.
   */
  once(id: string, effect: (tx: PoolClient) => Promise<void>): Promise<boolean>;
  /**
   * Runs effects in order and records their messages in one transaction. Returns for each effect whether it ran: a
   * message that was handled before or occurs twice does not run again. If one effect throws, all effects are rolled
   * back.
   */
  onceEach(effects: Effect[]): Promise<boolean[]>;
  /** Records that a message was handled. The message's effect, if any, is stored elsewhere. */
  remember(id: string): Promise<void>;
  /** Rejects if the database does not write in time. */
  probe(): Promise<void>;
}

export function openInbox(pool: Pool, group: string): Inbox {
  async function onceEach(effects: Effect[]): Promise<boolean[]> {
    const tx = await pool.connect();
    let broken: Error | undefined;
    try {
      await tx.query('begin');
      // Inserted before the effects run, so that another member with one of these messages waits here and then finds
      // the message handled.
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
      // PostgreSQL responds to the COMMIT of a failed transaction with a rollback, which the driver does not report as
      // an error.
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
