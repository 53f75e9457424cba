import { MAX_BLOCKED, type BlockPage } from '@beltway/contracts/realtime/community';
import { Rejected } from '@beltway/kit/rejected';
import { anyOf, countRows, insertIf } from '@beltway/kit/kysely';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type RawBuilder } from 'kysely';
import { kysely, tables } from '../db.ts';
import { communityBlocks } from '../generated/tables.ts';

/**
 * SQL condition: neither of the two accounts blocked the other. `one` and `other` are columns or values. `offset 0`
 * makes PostgreSQL look up blocks for each row. As a join, the condition would read all blocks for a list of followers,
 * because PostgreSQL expects most followers to be blocked.
 */
export const notBlocked = (one: RawBuilder<number>, other: RawBuilder<number>) =>
  sql<boolean>`not exists (select from community_blocks b where b.user_id = ${other} and b.blocked_id = ${one} offset 0)
    and not exists (select from community_blocks b where b.user_id = ${one} and b.blocked_id = ${other} offset 0)`;

/**
 * Blocks an account, so that the two accounts do not see each other; a repeat changes nothing. Rejects with
 * `own-account` or `too-many-blocked`.
 */
export async function block(pool: Queryable, userId: number, blockedId: number, now: Date): Promise<void> {
  if (userId === blockedId) throw new Rejected('own-account');
  const db = kysely(pool);
  const own = db.selectFrom('communityBlocks').where('userId', '=', userId);
  const known = own.select('id').where('blockedId', '=', blockedId);
  const isBelowMax = tables(own.select(countRows), '<', MAX_BLOCKED).$castTo<boolean>();
  // The limit is checked without a lock, so each concurrent request may exceed the limit by one.
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

/** Those accounts among `others` that block the account or are blocked by the account. */
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

const MAX_AUTHORS = 1_000;

/** Accounts that commented on an event and either block the account or are blocked by the account. */
export async function blockedAuthors(db: Queryable, userId: number, eventId: number): Promise<number[]> {
  const blocks = kysely(db).selectFrom('communityBlocks');
  const rows = await kysely(db)
    .selectFrom(
      blocks
        .select('blockedId as id')
        .where('userId', '=', userId)
        .union(blocks.select('userId as id').where('blockedId', '=', userId))
        .as('b'),
    )
    .select('b.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('contributions as c')
          .select('c.id')
          .where('c.eventId', '=', eventId)
          .whereRef('c.authorId', '=', 'b.id')
          // Selects only comments, by their unique index.
          .where('c.textKey', 'is not', null),
      ),
    )
    .orderBy('b.id')
    .limit(MAX_AUTHORS)
    .execute();
  return rows.map(({ id }) => id);
}

/** For each of these accounts: the accounts that it blocks, and the accounts that block it. */
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

/** The accounts that an account blocks, latest first. */
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
