import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { CommandReused, fingerprintOf } from '@beltway/event-store';
import { transaction } from '@beltway/kit/postgres';
import { checkLimits, type WriteKind } from './limits.ts';
import { noteWriter } from './people.ts';

/** A retry comes within minutes; a day of an account's limits is counted by these rows as well. */
const KEPT_REQUESTS = `interval '30 days'`;
/** The first number of advisory locks on writers. */
const WRITER_LOCK = 4501;

export interface Writer {
  id: number;
  name: string;
}

export interface Writing {
  kind: WriteKind;
  writer: Writer;
  /** The client's idempotency key. */
  key: string | undefined;
  /** What is written, and below what. */
  body: unknown;
}

export type WriteOnce = (writing: Writing, work: (tx: PoolClient, now: Date) => Promise<number>) => Promise<number>;

/**
 * Writes something once for its key, within the limits of the account, and gives its number; the same key again gives the same one. One
 * after the other for each account, so that floods are counted right. Throws 429, and `CommandReused` when the key belongs to something
 * else.
 */
export const writeOnce =
  ({ pool, isUnlimited, clock }: { pool: Pool; isUnlimited: boolean; clock: () => Date }): WriteOnce =>
  ({ kind, writer, key = `none ${randomUUID()}`, body }, work) =>
    transaction(pool, async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1, $2)', [WRITER_LOCK, writer.id]);
      const now = clock();
      const fingerprint = fingerprintOf({ kind, body });
      const { rows } = await tx.query<{ subjectId: number; fingerprint: string }>(
        'select subject_id as "subjectId", fingerprint from community_requests where user_id = $1 and key = $2',
        [writer.id, key],
      );
      if (rows[0]) {
        if (rows[0].fingerprint !== fingerprint) throw new CommandReused();
        return rows[0].subjectId;
      }
      if (!isUnlimited) await checkLimits(tx, writer.id, kind, now);
      await noteWriter(tx, writer);
      const id = await work(tx, now);
      await tx.query(
        `delete from community_requests where user_id = $1 and created_at < $2::timestamptz - ${KEPT_REQUESTS}`,
        [writer.id, now],
      );
      await tx.query(
        `insert into community_requests (user_id, key, fingerprint, kind, subject_id, created_at) values ($1, $2, $3, $4, $5, $6)`,
        [writer.id, key, fingerprint, kind, id, now],
      );
      return id;
    });
