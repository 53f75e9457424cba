import { notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

// Rows, no events: as likes of events are (docs/decisions/0042).

export interface Likes {
  /** Likes it, or takes the like back. A repeat changes nothing. Throws 404 for what the account cannot see. */
  set(id: number, userId: number, isLiked: boolean): Promise<{ likes: number; isLiked: boolean }>;
  /** Takes all likes of an account back. */
  removeOf(userId: number): Promise<void>;
}

interface LikesOptions {
  of: 'photo' | 'video';
  /** SQL of when the account `$2` may like it. */
  isShown: string;
  /** What it is, for people: "This photo". */
  what: string;
}

/** Likes in `<of>_likes`, with their sums in `<of>_like_counts`. */
export function openLikes(pool: Pool, { of, isShown, what }: LikesOptions): Likes {
  // Nobody rejects or removes it until this transaction ends.
  const SHOWN = `select from ${of}s where ${of}_id = $1 and (${isShown}) for share`;
  const ADD = `with added as (
      insert into ${of}_likes (${of}_id, user_id, created_at) values ($1, $2, now()) on conflict do nothing returning ${of}_id)
    insert into ${of}_like_counts (${of}_id, likes) select ${of}_id, 1 from added
    on conflict (${of}_id) do update set likes = ${of}_like_counts.likes + 1`;
  const TAKE = `with taken as (delete from ${of}_likes where ${of}_id = $1 and user_id = $2 returning ${of}_id)
    update ${of}_like_counts c set likes = likes - 1 from taken where c.${of}_id = taken.${of}_id`;
  const COUNT = `select likes from ${of}_like_counts where ${of}_id = $1`;
  const TAKE_ALL = `with taken as (delete from ${of}_likes where user_id = $1 returning ${of}_id)
    update ${of}_like_counts c set likes = likes - 1 from taken where c.${of}_id = taken.${of}_id`;
  return {
    set: (id, userId, isLiked) =>
      transaction(pool, async (tx: Queryable) => {
        const { rowCount } = await tx.query(SHOWN, [id, userId]);
        if (rowCount !== 1) throw notFound(what);
        await tx.query(isLiked ? ADD : TAKE, [id, userId]);
        const { rows } = await tx.query<{ likes: number }>(COUNT, [id]);
        return { likes: rows[0]?.likes ?? 0, isLiked };
      }),
    removeOf: async (userId) => void (await pool.query(TAKE_ALL, [userId])),
  };
}
