import type { Pool } from 'pg';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { Kind, Mark } from './kinds.ts';
import { shown, updated, type Viewer } from './rows.ts';

interface MarkOf {
  id: number;
  userId: number;
  mark: Mark;
}

/** Sets a mark; returns false if it was already set. */
export async function setMark(db: Queryable, { id, userId, mark }: MarkOf, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows: set } = await kysely(db)
    .insertInto('contributionMarks')
    .values({ contributionId: id, mark, userId, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return set === 1n;
}

/** Removes a mark; returns false if the mark was not set. */
async function unsetMark(db: Queryable, { id, userId, mark }: MarkOf): Promise<boolean> {
  const { numDeletedRows: unset } = await kysely(db)
    .deleteFrom('contributionMarks')
    .where('contributionId', '=', id)
    .where('mark', '=', mark)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return unset === 1n;
}

/**
 * Sets or removes a mark of the account; a repeat changes nothing. Throws 404 for a contribution that the account
 * cannot see.
 */
export const mark = (
  pool: Pool,
  viewer: NonNullable<Viewer>,
  { kind, id, mark: name, isSet }: { kind: Kind; id: number; mark: Mark; isSet: boolean },
  now: Date,
): Promise<{ likes: number; shares: number }> =>
  transaction(pool, async (tx) => {
    // Locks the contribution's row first. A concurrent deletion or hide then either ends before the mark is set, or
    // also removes the mark.
    await kysely(tx).selectFrom('contributions').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    await shown(tx, viewer, kind, id);
    const of = { id, userId: viewer.id, mark: name };
    const hasChanged = isSet ? await setMark(tx, of, now) : await unsetMark(tx, of);
    const by = hasChanged ? (isSet ? 1 : -1) : 0;
    return updated(tx, id)
      .set((eb) => ({
        likes: eb('likes', '+', name === 'like' ? by : 0),
        shares: eb('shares', '+', name === 'share' ? by : 0),
      }))
      .returning(['likes', 'shares'])
      .executeTakeFirstOrThrow();
  });
