import type { Pool } from 'pg';
import { excluded } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

// How far a list of the provider's is read, and whose turn it is to read on. No lock is held: a turn ends by the clock.

const now = sql<Date>`now()`;

/** Undefined when it was somebody's turn within the last `everyMs`. `at`: the last object that was read. */
export const takeTurn = (pool: Pool, name: string, everyMs: number): Promise<{ at: string | null } | undefined> =>
  kysely(pool)
    .insertInto('providerPositions')
    .values({ name, nextAt: sql`now() + make_interval(secs => ${everyMs / 1000}::float8)` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => excluded(eb, ['nextAt']))
        .where('providerPositions.nextAt', '<=', now),
    )
    .returning('eventId as at')
    .executeTakeFirst();

/** Keeps how far it was read. `isMore`: whoever comes first reads on at once. Answers `isMore`. */
export async function reachedTo(pool: Pool, name: string, at: string | null, isMore: boolean): Promise<boolean> {
  await kysely(pool)
    .updateTable('providerPositions')
    .set({ eventId: at, ...(isMore && { nextAt: now }) })
    .where('name', '=', name)
    .execute();
  return isMore;
}
