import type { Pool } from 'pg';
import { notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { ItemKind } from './kinds.ts';

// Likes are rows and not log events, as for events of the catalog (docs/decisions/0042).

/** Removes likes and subtracts them from the counts. */
const takeLikes = (db: Queryable, of: { userId: number; kind?: ItemKind; id?: number }) =>
  kysely(db)
    .with('taken', (take) =>
      take
        .deleteFrom('itemLikes')
        .where(({ and }) => and(of))
        .returning(['kind', 'id']),
    )
    .updateTable('itemLikeCounts as c')
    .from('taken')
    .set(({ eb }) => ({ likes: eb('c.likes', '-', 1) }))
    .whereRef('c.kind', '=', 'taken.kind')
    .whereRef('c.id', '=', 'taken.id')
    .execute();

/** Likes a photo or video, or withdraws the like. Idempotent. Throws 404 if the account cannot see the item. */
export const setLike = (
  pool: Pool,
  kind: ItemKind,
  { id, userId, isLiked }: { id: number; userId: number; isLiked: boolean },
): Promise<{ likes: number; isLiked: boolean }> =>
  transaction(pool, async (tx) => {
    const db = kysely(tx);
    // Locks the item, so that it is not rejected or removed before this transaction ends.
    const shown = await db
      .selectFrom('items')
      .select('id')
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('status', '=', 'shown'), eb('userId', '=', userId)]))
      .forShare()
      .executeTakeFirst();
    if (!shown) throw notFound(kind);
    if (isLiked)
      await db
        .with('added', (add) =>
          add
            .insertInto('itemLikes')
            .values(({ fn }) => ({ kind, id, userId, createdAt: fn<Date>('now') }))
            .onConflict((conflict) => conflict.doNothing())
            .returning(['kind', 'id']),
        )
        .insertInto('itemLikeCounts')
        .columns(['kind', 'id', 'likes'])
        .expression(({ selectFrom, lit }) => selectFrom('added').select(['kind', 'id', lit(1).as('likes')]))
        .onConflict((conflict) =>
          conflict.columns(['kind', 'id']).doUpdateSet((eb) => ({ likes: eb('itemLikeCounts.likes', '+', 1) })),
        )
        .execute();
    else await takeLikes(tx, { kind, id, userId });
    const counted = await db
      .selectFrom('itemLikeCounts')
      .select('likes')
      .where('kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst();
    return { likes: counted?.likes ?? 0, isLiked };
  });

/** Withdraws all likes of an account. */
export const removeLikesOf = (pool: Pool, userId: number) => takeLikes(pool, { userId });
