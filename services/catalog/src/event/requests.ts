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

/** The context of a request's command. An idempotency key is valid for one user and one kind of command. */
export function contextOf(req: Request, userId: number, command: string): Context & { fingerprint: string } {
  const key = idempotencyKeyOf(req);
  return {
    commandId: key === undefined ? randomUUID() : uuidFrom(`${command}\0${userId}\0${key}`),
    fingerprint: fingerprintOf(req.body),
    userId,
    correlationId: req.res ? requestIdOf(req.res) : randomUUID(),
  };
}

/**
 * The id for a new event. If this idempotency key has already reserved an id, returns that id. Throws if the key
 * belongs to another request.
 */
export const reserveEventId = (pool: Pool, req: Request, userId: number, fingerprint: string): Promise<number> =>
  transaction(pool, (tx) =>
    once(
      tx,
      { userId, kind: 'event', key: idempotencyKeyOf(req), fingerprint },
      async () => (await nextval(kysely(tx), 'event_ids').executeTakeFirstOrThrow()).id,
    ),
  );

/** The event id in the path. Throws 404 if the id is invalid. */
export const eventIdOf = (req: Request<{ id: string }>): number => pathId(req, 'id', 'event');
