import { z } from 'zod';
import type { MyTopPicks, TopPickPage, TopPicksQuery } from '@beltway/contracts/media/top-picks';
import { cursorOf, readCursor } from '@beltway/kit/cursor';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { COLUMNS, JOINED, PROMOTED, SELECT, toVideo, type ItemRow } from '../item/queries.ts';
import { freeClips } from './clips.ts';

/** Sort key of the list: 2 for promoted, 1 for featured, 0 for other videos; then the id. */
const Place = z.tuple([z.int().min(0).max(2), z.int().min(1).max(2_147_483_647)]);
const FIRST = [2, 2_147_483_647] as const;

/** SQL condition: the video is a clip of a suspended event. */
const IS_HELD_BACK = `exists (select from clip_rights h join gallery_events g using (event_id)
    where h.promotion_id = i.promotion_id and g.is_suspended)`;

// Plain SQL, because all queries of items share `SELECT`. The few promoted or featured videos are all read and sorted.
// The other videos are read in the order of an index, only as many as requested.
const LIST = `with leaders as (
    select i.id, case when pr.event_id is not null then 2 when i.is_featured then 1 else 0 end as rank
    from items i left join ${PROMOTED} pr on true
    where kind = 'video' and status = 'shown' and (is_featured or promotion_id is not null) and ($2::text is null or category = $2)
      and not ${IS_HELD_BACK}),
  listed as (
    (select id, rank from leaders where rank > 0 and (rank, id) < ($3::integer, $4::integer))
    union all
    (select i.id, 0 from items i where kind = 'video' and status = 'shown' and ($2::text is null or category = $2)
       and ($3 > 0 or i.id < $4) and not ${IS_HELD_BACK} and not exists (select from leaders b where b.id = i.id and b.rank > 0)
     order by i.id desc limit $5))
  select ${COLUMNS}, s.rank from listed s join items i on i.kind = 'video' and i.id = s.id ${JOINED}
  order by s.rank desc, i.id desc limit $5`;

/**
 * Visible videos: first promoted, then featured, then the newest; without clips of suspended events. Throws 400 for an
 * invalid cursor.
 */
export async function topPicks(
  db: Queryable,
  { category, cursor, limit }: z.infer<typeof TopPicksQuery>,
): Promise<TopPickPage> {
  const [rank, before] = cursor === undefined ? FIRST : readCursor(cursor, Place);
  const of = category === 'all' ? null : category;
  const { rows } = await db.query<ItemRow & { rank: number }>(LIST, [null, of, rank, before, limit + 1]);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(toVideo),
    nextCursor: rows.length > limit ? cursorOf([last!.rank, last!.id]) : null,
  };
}

/** The reader's own videos, clip rights and other data of Top Picks. */
export async function ownTopPicks(db: Queryable, userId: number): Promise<MyTopPicks> {
  const liked = await kysely(db)
    .selectFrom('itemLikes')
    .select('id')
    .where('kind', '=', 'video')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(1_000)
    .execute();
  const { rows } = await db.query<ItemRow>(
    `${SELECT} where i.kind = 'video' and i.user_id = $1 order by i.id desc limit 100`,
    [userId],
  );
  return {
    liked: liked.map(({ id }) => id),
    videos: rows.map((row) => ({ ...toVideo(row), reason: row.reason })),
    clips: await freeClips(db, userId),
  };
}
