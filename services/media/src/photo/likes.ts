import type { PhotoLikes } from '@beltway/contracts/gallery';
import { notFound } from '@beltway/kit/problems';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

// Rows, no events: as likes of events are (docs/decisions/0042).

/** Nobody rejects or removes it until this transaction ends. */
const SHOWN = `select from photos where photo_id = $1 and (status = 'verified' or user_id = $2) for share`;
const ADD = `with added as (
    insert into photo_likes (photo_id, user_id, created_at) values ($1, $2, now()) on conflict do nothing returning photo_id)
  insert into photo_like_counts (photo_id, likes) select photo_id, 1 from added
  on conflict (photo_id) do update set likes = photo_like_counts.likes + 1`;
const TAKE = `with taken as (delete from photo_likes where photo_id = $1 and user_id = $2 returning photo_id)
  update photo_like_counts c set likes = likes - 1 from taken where c.photo_id = taken.photo_id`;
const COUNT = 'select likes from photo_like_counts where photo_id = $1';

/** Likes a photo, or takes the like back. A repeat changes nothing. Throws 404 for a photo that the account cannot see. */
export const setLike = (pool: Pool, photoId: number, userId: number, isLiked: boolean): Promise<PhotoLikes> =>
  transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(SHOWN, [photoId, userId]);
    if (rowCount !== 1) throw notFound('This photo');
    await tx.query(isLiked ? ADD : TAKE, [photoId, userId]);
    const { rows } = await tx.query<{ likes: number }>(COUNT, [photoId]);
    return { likes: rows[0]?.likes ?? 0, isLiked };
  });

/** Takes all likes of an account back. */
export async function removeLikes(db: Queryable, userId: number): Promise<void> {
  await db.query(
    `with taken as (delete from photo_likes where user_id = $1 returning photo_id)
     update photo_like_counts c set likes = likes - 1 from taken where c.photo_id = taken.photo_id`,
    [userId],
  );
}
