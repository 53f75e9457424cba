import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Pool } from 'pg';
import { CommandReused, fingerprintOf, uuidFrom, type Context } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { badField } from '@beltway/kit/problems';

/** The client's key for "this wish, once"; without one each request is a wish of its own. */
function keyOf(req: Request): string | undefined {
  const key = req.get('idempotency-key');
  if (key !== undefined && !/^[\x21-\x7e]{1,200}$/.test(key))
    throw badField('Idempotency-Key', 'must be 1 to 200 letters, digits or signs without spaces');
  return key;
}

/** What a command of this request carries. Keys are each user's own, and each kind of wish's own. */
export function contextOf(req: Request, userId: number, wish: string): Context & { fingerprint: string } {
  const key = keyOf(req);
  return {
    commandId: key === undefined ? randomUUID() : uuidFrom(`${wish}\0${userId}\0${key}`),
    fingerprint: fingerprintOf(req.body),
    userId,
    correlationId: req.res ? requestIdOf(req.res) : randomUUID(),
  };
}

/** The id for a new event: a fresh one, or the one this key stands for. Throws when the key stands for another wish. */
export async function reserveEventId(pool: Pool, req: Request, userId: number, fingerprint: string): Promise<number> {
  const key = keyOf(req);
  if (key === undefined) {
    const { rows } = await pool.query<{ id: string }>(`select nextval('event_ids') as id`);
    return Number(rows[0]?.id);
  }
  const known = () =>
    pool.query<{ event_id: number; fingerprint: string }>(
      'select event_id, fingerprint from publish_requests where user_id = $1 and key = $2',
      [userId, key],
    );
  let { rows } = await known();
  if (rows.length === 0) {
    await pool.query(
      `insert into publish_requests (user_id, key, event_id, fingerprint) values ($1, $2, nextval('event_ids'), $3) on conflict do nothing`,
      [userId, key, fingerprint],
    );
    ({ rows } = await known());
  }
  const [request] = rows;
  if (!request) throw new Error('a publish request that was just written is gone');
  if (request.fingerprint !== fingerprint) throw new CommandReused();
  return request.event_id;
}
