import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Pool } from 'pg';
import { fingerprintOf, uuidFrom, type Context } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { nextval } from '@beltway/kit/kysely';
import { once } from '@beltway/kit/once';
import { pathId } from '@beltway/kit/path-id';
import { transaction } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

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
export const reserveEventId = (pool: Pool, req: Request, userId: number, fingerprint: string): Promise<number> =>
  transaction(pool, (tx) =>
    once(
      tx,
      { userId, kind: 'event', key: idempotencyKeyOf(req), fingerprint },
      async () => (await nextval(kysely(tx), 'event_ids').executeTakeFirstOrThrow()).id,
    ),
  );

/** The number of an event in the path. Throws 404. */
export const eventIdOf = (req: Request<{ id: string }>): number => pathId(req, 'id', 'event');
