import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { CommandReused, prepared } from '@beltway/event-store';
import type { Queryable } from './pool.ts';

/** A retry comes within minutes, and no limit counts more than a day. */
const KEPT = `interval '30 days'`;
/** The first numbers of advisory locks: on an account, and on a key without one. */
const ACCOUNT_LOCK = 4501;
const KEY_LOCK = 4502;

export interface OnceRequest {
  /** 0: the caller has no account. */
  userId: number;
  /** Keys of one kind are separate from those of another. */
  kind: string;
  /** The client's idempotency key; undefined: the request is never the same as another. */
  key: string | undefined;
  /** Digest of what is written (`fingerprintOf`). */
  fingerprint: string;
  /** What else limits count it by, such as `event 7`. */
  about?: string;
  now?: Date;
}

const KNOWN = 'select result, fingerprint from requests where user_id = $1 and kind = $2 and key = $3';
const NOTE = `with dropped as (delete from requests where user_id = $1 and at < $7::timestamptz - ${KEPT})
  insert into requests (user_id, kind, key, fingerprint, result, about, at) values ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Runs `work` once for a key, in the transaction of what it writes, and returns the number it gave; the same key again returns the same
 * number. Requests of one account run one after the other, so that limits which count them are exact. Throws `CommandReused` when the key
 * was used for something else.
 */
export async function once(
  tx: PoolClient,
  { userId, kind, key = `none ${randomUUID()}`, fingerprint, about, now = new Date() }: OnceRequest,
  work: () => Promise<number>,
): Promise<number> {
  await (userId > 0
    ? tx.query(prepared('select pg_advisory_xact_lock($1, $2)', [ACCOUNT_LOCK, userId]))
    : tx.query(prepared('select pg_advisory_xact_lock($1, hashtext($2))', [KEY_LOCK, `${kind} ${key}`])));
  const { rows } = await tx.query<{ result: number; fingerprint: string }>(prepared(KNOWN, [userId, kind, key]));
  if (rows[0]) {
    if (rows[0].fingerprint !== fingerprint) throw new CommandReused();
    return rows[0].result;
  }
  const result = await work();
  await tx.query(prepared(NOTE, [userId, kind, key, fingerprint, result, about ?? null, now]));
  return result;
}

/** At most `max` requests within `ms`: an account's of these kinds, or all about something. */
export type RequestLimit = { max: number; ms: number } & (
  | { userId: number; kinds: readonly string[]; about?: undefined }
  | { about: string; userId?: undefined; kinds?: undefined }
);

const OF_ACCOUNT = `select at from requests where user_id = $1 and at > $2 and kind = any($3::text[])
  order by at desc offset $4 limit 1`;
const ABOUT = 'select at from requests where about = $1 and at > $2 order by at desc offset $3 limit 1';

/** Seconds until the limit allows another request; 0: now. Deleting what was written makes no room. */
export async function secondsUntilAllowed(
  db: Queryable,
  { max, ms, userId, kinds, about }: RequestLimit,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - ms);
  const { rows } = await db.query<{ at: Date }>(
    userId === undefined
      ? prepared(ABOUT, [about, since, max - 1])
      : prepared(OF_ACCOUNT, [userId, since, kinds, max - 1]),
  );
  return rows[0] ? Math.max(1, Math.ceil((rows[0].at.getTime() + ms - now.getTime()) / 1_000)) : 0;
}

/** Erases the requests of an account. */
export const forgetRequests = (db: Queryable, userId: number) =>
  db.query('delete from requests where user_id = $1', [userId]);
