import type { Pool } from 'pg';
import { excluded } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

// Read positions in the provider's lists. Instead of holding a lock, an instance reserves the next read for `everyMs`.

const now = sql<Date>`now()`;

/** Reserves the next read; undefined when another read began within `everyMs`. `at`: the last object read. */
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

/** Saves the position. `isMore`: the next instance may continue immediately. Returns `isMore`. */
export async function reachedTo(pool: Pool, name: string, at: string | null, isMore: boolean): Promise<boolean> {
  await kysely(pool)
    .updateTable('providerPositions')
    .set({ eventId: at, ...(isMore && { nextAt: now }) })
    .where('name', '=', name)
    .execute();
  return isMore;
}
