import type { Pool } from 'pg';
import { prepared } from '@beltway/event-store';
import { notFound } from '@beltway/kit/problems';
import { transaction } from '@beltway/kit/postgres';
import { ITEMS, type ItemKind } from './kinds.ts';

// Rows, no events: as likes of events are (docs/decisions/0042).

// It is not rejected or removed until this transaction ends.
const SHOWN = `select from items where kind = $1 and id = $2 and (status = 'shown' or user_id = $3) for share`;
const ADD = `with added as (
    insert into item_likes (kind, id, user_id, created_at) values ($1, $2, $3, now()) on conflict do nothing returning kind, id)
  insert into item_like_counts as c (kind, id, likes) select kind, id, 1 from added
  on conflict (kind, id) do update set likes = c.likes + 1`;
const TAKE = `with taken as (delete from item_likes where kind = $1 and id = $2 and user_id = $3 returning kind, id)
  update item_like_counts c set likes = likes - 1 from taken where c.kind = taken.kind and c.id = taken.id`;
const COUNT = 'select likes from item_like_counts where kind = $1 and id = $2';

/** Likes a photo or video, or takes the like back. A repeat changes nothing. Throws 404 for one that the account does not see. */
export const setLike = (
  pool: Pool,
  kind: ItemKind,
  { id, userId, isLiked }: { id: number; userId: number; isLiked: boolean },
): Promise<{ likes: number; isLiked: boolean }> =>
  transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(prepared(SHOWN, [kind, id, userId]));
    if (rowCount !== 1) throw notFound(kind);
    await tx.query(prepared(isLiked ? ADD : TAKE, [kind, id, userId]));
    const { rows } = await tx.query<{ likes: number }>(prepared(COUNT, [kind, id]));
    return { likes: rows[0]?.likes ?? 0, isLiked };
  });

const TAKE_ALL = `with taken as (delete from item_likes where user_id = $1 returning kind, id)
  update item_like_counts c set likes = likes - 1 from taken where c.kind = taken.kind and c.id = taken.id`;

/** Takes all likes of an account back. */
export const removeLikesOf = (pool: Pool, userId: number) => pool.query(TAKE_ALL, [userId]);
