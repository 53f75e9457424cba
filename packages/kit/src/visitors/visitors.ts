import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from '../postgres/pool.ts';
import { senderOf } from '../http/limits/rate-limit.ts';
import type { Request } from 'express';

/** Who looked at something, as the request says it. */
export interface Visitor {
  /** An IPv4 address, or a /64 of IPv6. */
  network: string;
  userAgent: string | undefined;
}

export const visitorOf = (req: Request): Visitor => ({ network: senderOf(req), userAgent: req.get('user-agent') });

/** A page of another site must not make its readers count as readers here. */
export const isFromOurPage = (req: Request): boolean => (req.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';

/**
 * Browsers that are told apart in one network: who makes up names of browsers counts for so many visitors at most. Two people of one network
 * whose browsers differ are taken for one in one of 64 cases.
 */
const BROWSERS_IN_A_NETWORK = 64;
/** A part of the digest that makes two visitors of a day the same once in 10^25 pairs. */
const DIGEST_BYTES = 12;

/** One of 64, by the name that a browser gives itself. */
export const browserOf = (userAgent: string): number =>
  createHash('sha256').update(userAgent).digest().readUInt16BE() % BROWSERS_IN_A_NETWORK;

const KEY = `with made as (insert into view_keys (day, key) values ($1, $2) on conflict do nothing returning key)
  select key from made union all select key from view_keys where day = $1`;

/** The key of a day, made by whoever needs it first, and dropped after the day by the service whose table it is. */
export async function keyOfDay(db: Queryable, day: string): Promise<Buffer> {
  const ask = () => db.query<{ key: Buffer }>({ name: 'view-key', text: KEY, values: [day, randomBytes(32)] });
  // Another instance may have made it in this moment: then it is not in this statement's view of the table yet.
  const { rows } = await ask();
  return (rows[0] ?? (await ask()).rows[0]!).key;
}

/** What is written of a visitor: nobody can tell who it was once the day's key is gone. */
export const digestOf = (key: Buffer, visitor: string): Buffer =>
  createHmac('sha256', key).update(visitor).digest().subarray(0, DIGEST_BYTES);
