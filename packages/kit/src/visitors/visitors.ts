import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from '../postgres/pool.ts';
import { senderOf } from '../http/limits/rate-limit.ts';
import type { Request } from 'express';

/** A visitor, as the request identifies them. */
export interface Visitor {
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
  userAgent: string | undefined;
}

export const visitorOf = (req: Request): Visitor => ({ network: senderOf(req), userAgent: req.get('user-agent') });

/** True if a page of this site made the request, so that pages of other sites cannot make their readers count here. */
export const isFromOurPage = (req: Request): boolean => (req.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';

/**
 * Number of browsers that are distinguished per network. This limits how many visitors invented user agents can add.
 * Two people in one network with different browsers are counted as one with a probability of 1 in 64.
 */
const BROWSERS_IN_A_NETWORK = 64;
/** Length of a truncated digest. Two visitors of a day have the same digest in one of 10^25 pairs. */
const DIGEST_BYTES = 12;

/** One of 64 buckets, selected by the user agent. */
export const browserOf = (userAgent: string): number =>
  createHash('sha256').update(userAgent).digest().readUInt16BE() % BROWSERS_IN_A_NETWORK;

const KEY = `with made as (insert into view_keys (day, key) values ($1, $2) on conflict do nothing returning key)
  select key from made union all select key from view_keys where day = $1`;

/** The key of a day. It is created on first use and deleted after the day by the service that owns the table. */
export async function keyOfDay(db: Queryable, day: string): Promise<Buffer> {
  const ask = () => db.query<{ key: Buffer }>({ name: 'view-key', text: KEY, values: [day, randomBytes(32)] });
  // Another instance may have just inserted the key, so that it is not in this statement's snapshot. Then a second
  // query finds the key.
  const { rows } = await ask();
  return (rows[0] ?? (await ask()).rows[0]!).key;
}

/** A visitor's digest, which cannot be traced to the visitor once the day's key is deleted. */
export const digestOf = (key: Buffer, visitor: string): Buffer =>
  createHmac('sha256', key).update(visitor).digest().subarray(0, DIGEST_BYTES);
