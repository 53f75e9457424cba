import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { CommandReused, prepared } from '@beltway/event-store';
import type { Queryable } from './pool.ts';

/** How long requests are kept. Retries come within minutes, and no limit covers more than a day. */
const KEPT = `interval '30 days'`;
/** The first number of an advisory lock: for an account, and for a key without an account. */
const ACCOUNT_LOCK = 4501;
const KEY_LOCK = 4502;

export interface OnceRequest {
  /** The caller's account; 0 if there is none. */
  userId: number;
  /** Keys of different kinds are separate. */
  kind: string;
  /** The client's idempotency key. If undefined, the request always counts as new. */
  key: string | undefined;
  /** A digest of the written data (`fingerprintOf`). */
  fingerprint: string;
  /** Another subject with its own limit, such as `event 7`. */
  about?: string;
  now?: Date;
}

const KNOWN = 'select result, fingerprint from requests where user_id = $1 and kind = $2 and key = $3';
const NOTE = `with dropped as (delete from requests where user_id = $1 and at < $7::timestamptz - ${KEPT})
  insert into requests (user_id, kind, key, fingerprint, result, about, at) values ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Runs `work` once per key, in the transaction of its writes, and returns the number that `work` returns. A repeated
 * key returns the same number. Requests of one account are serialized, so that the account's limits are exact. Throws
 * `CommandReused` if the key was used for other data.
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

/** At most `max` requests within `ms`: either an account's requests of these kinds, or all requests about a subject. */
export type RequestLimit = { max: number; ms: number } & (
  | { userId: number; kinds: readonly string[]; about?: undefined }
  | { about: string; userId?: undefined; kinds?: undefined }
);

const OF_ACCOUNT = `select at from requests where user_id = $1 and at > $2 and kind = any($3::text[])
  order by at desc offset $4 limit 1`;
const ABOUT = 'select at from requests where about = $1 and at > $2 order by at desc offset $3 limit 1';

/** Seconds until the limit allows another request; 0: now. Deleting the written content does not reduce the count. */
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

/** Erases an account's requests. */
export const forgetRequests = (db: Queryable, userId: number) =>
  db.query('delete from requests where user_id = $1', [userId]);
