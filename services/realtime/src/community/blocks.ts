import { MAX_BLOCKED, type BlockPage } from '@beltway/contracts/realtime/community';
import { Rejected } from '@beltway/kit/rejected';
import { anyOf, countRows, insertIf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type RawBuilder } from 'kysely';
import { kysely, tables } from '../db.ts';
import { communityBlocks } from '../generated/tables.ts';

/**
 * Neither of the two blocked the other. `one` and `other` are columns or values. Looked up for each row, which `offset 0` has PostgreSQL
 * do: as a join it would read all blocks there are for a page of followers, because it expects most of them to be blocked.
 */
export const notBlocked = (one: RawBuilder<number>, other: RawBuilder<number>) =>
  sql<boolean>`not exists (select from community_blocks b where b.user_id = ${other} and b.blocked_id = ${one} offset 0)
    and not exists (select from community_blocks b where b.user_id = ${one} and b.blocked_id = ${other} offset 0)`;

/** From now on the two see nothing of each other; a repeat changes nothing. Rejected: `own-account`, `too-many-blocked`. */
export async function block(pool: Queryable, userId: number, blockedId: number, now: Date): Promise<void> {
  if (userId === blockedId) throw new Rejected('own-account');
  const db = kysely(pool);
  const own = db.selectFrom('communityBlocks').where('userId', '=', userId);
  const known = own.select('id').where('blockedId', '=', blockedId);
  const isBelowMax = tables(own.select(countRows), '<', MAX_BLOCKED).$castTo<boolean>();
  // The bound is counted without a lock: requests that run at once may go past it by as many as they are.
  const { isBlocked } = await db
    .with('added', () =>
      insertIf(db, 'communityBlocks', communityBlocks, { userId, blockedId, createdAt: now }, isBelowMax)
        .onConflict((conflict) => conflict.columns(['userId', 'blockedId']).doNothing())
        .returning('id'),
    )
    .selectNoFrom(({ exists, or, selectFrom }) =>
      or([exists(selectFrom('added').select('id')), exists(known)]).as('isBlocked'),
    )
    .executeTakeFirstOrThrow();
  if (!isBlocked) throw new Rejected('too-many-blocked', { max: MAX_BLOCKED });
}

export const unblock = (db: Queryable, userId: number, blockedId: number) =>
  kysely(db).deleteFrom('communityBlocks').where('userId', '=', userId).where('blockedId', '=', blockedId).execute();

/** Those of others who block an account or are blocked by it. */
export async function blocksAmong(db: Queryable, userId: number, others: readonly number[]): Promise<number[]> {
  const rows = await kysely(db)
    .selectFrom('communityBlocks')
    .select(({ ref, eb }) =>
      eb.case().when('userId', '=', userId).then(ref('blockedId')).else(ref('userId')).end().as('id'),
    )
    .distinct()
    .where(({ and, eb, or }) =>
      or([
        and([eb('userId', '=', userId), eb('blockedId', '=', anyOf(others))]),
        and([eb('blockedId', '=', userId), eb('userId', '=', anyOf(others))]),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Of each of these accounts, whom they block and who blocks them. */
export async function blocksOf(db: Queryable, userIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const blocks = kysely(db).selectFrom('communityBlocks');
  const rows = await blocks
    .select(['userId', 'blockedId as otherId'])
    .where('userId', '=', anyOf(userIds))
    .unionAll(blocks.select(['blockedId as userId', 'userId as otherId']).where('blockedId', '=', anyOf(userIds)))
    .execute();
  const others = new Map(userIds.map((userId) => [userId, new Set<number>()]));
  for (const { userId, otherId } of rows) others.get(userId)!.add(otherId);
  return others;
}

/** Whom an account blocks, the latest first. */
export async function blockedBy(
  db: Queryable,
  userId: number,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<BlockPage> {
  const rows = await kysely(db)
    .selectFrom('communityBlocks as b')
    .leftJoin('communityPeople as p', 'p.userId', 'b.blockedId')
    .select(['b.id', 'b.blockedId as userId', 'p.name as userName', 'b.createdAt as at'])
    .where('b.userId', '=', userId)
    .$if(cursor !== undefined, (page) => page.where('b.id', '<', cursor!))
    .orderBy('b.id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit);
  return {
    items: items.map(({ id: _id, at, ...row }) => ({ ...row, at: at.toISOString() })),
    nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null,
  };
}
