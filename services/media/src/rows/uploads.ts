import { randomUUID } from 'node:crypto';
import { CommandReused } from '@beltway/event-store';
import { HttpProblem } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

interface Reservation {
  of: 'photo' | 'video';
  userId: number;
  /** The client's: sent again, it is the same upload. */
  key: string | undefined;
  fingerprint: string;
  /** Uploads of an account in an hour, those counted that were refused or deleted since. */
  perHour: number;
  /** Done in the same transaction, also when it is sent again. */
  also?: (tx: Queryable, id: number) => Promise<void>;
}

/** The number for a photo or video: a fresh one, or the one this key stands for. Throws when the key stands for another upload, or at the limit. */
export const reserveUpload = (
  pool: Pool,
  { of, userId, key, fingerprint, perHour, also }: Reservation,
): Promise<number> =>
  transaction(pool, async (tx) => {
    // One after the other: the limit counts what is written here.
    await tx.query(`select pg_advisory_xact_lock(hashtext('${of}_uploads'), $1)`, [userId]);
    const reserve = async (): Promise<number> => {
      if (key !== undefined) {
        const { rows } = await tx.query<{ id: number; fingerprint: string }>(
          `select ${of}_id as id, fingerprint from ${of}_uploads where user_id = $1 and key = $2`,
          [userId, key],
        );
        if (rows[0] && rows[0].fingerprint !== fingerprint) throw new CommandReused();
        if (rows[0]) return rows[0].id;
      }
      const { rows: counted } = await tx.query<{ uploads: number }>(
        `select count(*)::integer as uploads from ${of}_uploads where user_id = $1 and created_at > now() - interval '1 hour'`,
        [userId],
      );
      if (counted[0]!.uploads >= perHour)
        throw new HttpProblem(429, `too-many-${of}s`, 'That is enough for an hour. Please come back later.', {
          retryAfter: 600,
        });
      const { rows } = await tx.query<{ id: number }>(
        `insert into ${of}_uploads (user_id, key, ${of}_id, fingerprint, created_at)
         values ($1, $2, nextval('${of}_ids'), $3, now()) returning ${of}_id as id`,
        [userId, key ?? randomUUID(), fingerprint],
      );
      return rows[0]!.id;
    };
    const id = await reserve();
    await also?.(tx, id);
    return id;
  });
