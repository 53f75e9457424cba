import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Pool } from 'pg';
import { IdText } from '@beltway/contracts/common/basics';
import { CommandReused, fingerprintOf, uuidFrom, type Context } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';

/** What a command of this request carries. Keys are each user's own, and each kind of command's own. */
export function contextOf(req: Request, userId: number, command: string): Context & { fingerprint: string } {
  const key = idempotencyKeyOf(req);
  return {
    commandId: key === undefined ? randomUUID() : uuidFrom(`${command}\0${userId}\0${key}`),
    fingerprint: fingerprintOf(req.body),
    userId,
    correlationId: req.res ? requestIdOf(req.res) : randomUUID(),
  };
}

/** The id for a new event: a fresh one, or the one this key stands for. Throws when the key stands for another request. */
export async function reserveEventId(
  { pool, db }: { pool: Pool; db: Db },
  req: Request,
  userId: number,
  fingerprint: string,
): Promise<number> {
  const freshId = async () => {
    const { rows } = await pool.query<{ id: number }>(`select nextval('event_ids')::int as id`);
    return rows[0]!.id;
  };
  const key = idempotencyKeyOf(req);
  if (key === undefined) return freshId();
  const { publishRequest } = await db();
  const known = () => publishRequest.findUnique({ where: { userId_key: { userId, key } } });
  let request = await known();
  if (!request) {
    const data = { userId, key, eventId: await freshId(), fingerprint };
    await publishRequest.createMany({ data, skipDuplicates: true });
    request = await known();
  }
  if (!request) throw new Error('a publish request that was just written is gone');
  if (request.fingerprint !== fingerprint) throw new CommandReused();
  return request.eventId;
}

/** A number of an event as it stands in the path. Anything else names no event: 404. */
export function eventIdOf(req: Request<{ id: string }>): number {
  const id = IdText.safeParse(req.params.id);
  if (!id.success) throw notFound('This event');
  return id.data;
}
