import { MAX_BLOCKED, type BlockPage } from '@beltway/contracts/realtime/community';
import { Rejected } from '@beltway/kit/rejected';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type RawBuilder } from 'kysely';

/**
 * Neither of the two blocked the other. `one` and `other` are columns or values. Looked up for each row, which `offset 0` has PostgreSQL
 * do: as a join it would read all blocks there are for a page of followers, because it expects most of them to be blocked.
 */
export const notBlocked = (one: RawBuilder<number>, other: RawBuilder<number>) =>
  sql<boolean>`not exists (select from community_blocks b where b.user_id = ${other} and b.blocked_id = ${one} offset 0)
    and not exists (select from community_blocks b where b.user_id = ${one} and b.blocked_id = ${other} offset 0)`;

/** From now on the two see nothing of each other; a repeat changes nothing. Rejected: `own-account`, `too-many-blocked`. */
export async function block(db: Queryable, userId: number, blockedId: number, now: Date): Promise<void> {
  if (userId === blockedId) throw new Rejected('own-account');
  // The bound is counted without a lock: requests that run at once may go past it by as many as they are.
  const { rows } = await db.query<{ isBlocked: boolean }>(
    `with added as (
       insert into community_blocks (user_id, blocked_id, created_at)
       select $1, $2, $3 where (select count(*) from community_blocks where user_id = $1) < ${MAX_BLOCKED}
       on conflict (user_id, blocked_id) do nothing returning 1)
     select exists (select from added) or exists (select from community_blocks where user_id = $1 and blocked_id = $2) as "isBlocked"`,
    [userId, blockedId, now],
  );
  if (!rows[0]!.isBlocked) throw new Rejected('too-many-blocked', { max: MAX_BLOCKED });
}

export const unblock = (db: Queryable, userId: number, blockedId: number) =>
  db.query('delete from community_blocks where user_id = $1 and blocked_id = $2', [userId, blockedId]);

const AMONG = `select distinct case when user_id = $1 then blocked_id else user_id end as id from community_blocks
  where (user_id = $1 and blocked_id = any($2)) or (blocked_id = $1 and user_id = any($2))`;

/** Those of others who block an account or are blocked by it. */
export async function blocksAmong(db: Queryable, userId: number, others: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(AMONG, [userId, others]);
  return rows.map(({ id }) => id);
}

/** Of each of these accounts, whom they block and who blocks them. */
export async function blocksOf(db: Queryable, userIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const { rows } = await db.query<{ userId: number; otherId: number }>({
    name: 'blocks-of',
    text: `select user_id as "userId", blocked_id as "otherId" from community_blocks where user_id = any($1::integer[])
      union all select blocked_id, user_id from community_blocks where blocked_id = any($1::integer[])`,
    values: [userIds],
  });
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
  const { rows } = await db.query<{ id: number; userId: number; userName: string | null; at: Date }>(
    `select b.id, b.blocked_id as "userId", p.name as "userName", b.created_at as at
     from community_blocks b left join community_people p on p.user_id = b.blocked_id
     where b.user_id = $1 and b.id < coalesce($2::integer, 2147483647) order by b.id desc limit $3`,
    [userId, cursor ?? null, limit + 1],
  );
  const items = rows.slice(0, limit);
  return {
    items: items.map(({ id: _id, at, ...row }) => ({ ...row, at: at.toISOString() })),
    nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null,
  };
}
