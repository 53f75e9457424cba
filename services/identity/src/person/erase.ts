import { said } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import type { Said } from '@beltway/contracts/common/basics';
import { Obstacles, type Erasure } from '@beltway/contracts/identity/people';
import { Rejected } from '@beltway/event-store';
import type { InternalClient } from '@beltway/kit/internal';
import type { Role } from '@beltway/contracts/common/basics';
import type { Users } from '../user/stream.ts';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** Services that may object to an erasure, because other people's money or tickets depend on the account. */
export type Askable = Record<'ticketing' | 'payments', Pick<InternalClient, 'get'>>;

/** This service's reasons against an erasure. An admin must first give up the role. Demo accounts are shared. */
export function ownObstacles({ role, isDemo }: { role: Role; isDemo: boolean }): Said[] {
  if (isDemo) return [said('demo-account')];
  if (role === 'admin') return [said('admin-account.erase')];
  return [];
}

/** The other services' reasons against erasing an account. Throws when a service does not respond. */
export async function obstaclesOf(services: Askable, userId: number): Promise<Said[]> {
  const answers = await Promise.all(
    Object.values(services).map((service) => service.get(`/internal/people/${userId}/obstacles`)),
  );
  return answers.flatMap((answer) => Obstacles.parse(answer).obstacles);
}

/** Erases an account; idempotent. */
export async function eraseUser(users: Users, userId: number, correlationId?: string): Promise<void> {
  await users.handle(
    userId,
    { type: 'EraseUser' },
    { commandId: `erase\0${userId}`, userId, ...(correlationId !== undefined && { correlationId }) },
  );
}

/**
 * Erases accounts a second time: a restored backup brought them back, and another service reports them as erased. Skips
 * numbers that now belong to a younger account.
 */
export async function eraseAgain(pool: Pool, users: Users, items: Erasure[]): Promise<void> {
  const [ids, erasedAt] = [items.map(({ userId }) => userId), items.map((item) => item.erasedAt)];
  const { rows } = await sql<{ id: number }>`select u.id from users u
    join unnest(${ids}::integer[], ${erasedAt}::timestamptz[]) e (id, erased_at) using (id) where u.created_at < e.erased_at`.execute(
    kysely(pool),
  );
  for (const { id } of rows)
    await eraseUser(users, id).catch((error: unknown) => {
      if (!(error instanceof Rejected)) throw error;
    });
}
