import { z } from 'zod';
import type { MyTopPicks, TopPickPage, TopPicksQuery } from '@beltway/contracts/media/top-picks';
import { cursorOf, readCursor } from '@beltway/kit/cursor';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { COLUMNS, JOINED, PROMOTED, SELECT, toVideo, type ItemRow } from '../item/queries.ts';
import { freeClips } from './clips.ts';

/** What the order of the list goes by: 2 promoted, 1 featured, 0 neither; then the number. */
const Place = z.tuple([z.int().min(0).max(2), z.int().min(1).max(2_147_483_647)]);
const FIRST = [2, 2_147_483_647] as const;

// Text, as all that read items share `SELECT`.
// Few are promoted or featured: these are put in order whole. Of the others an index gives as many as are asked for.
const LIST = `with leaders as (
    select i.id, case when pr.event_id is not null then 2 when i.is_featured then 1 else 0 end as rank
    from items i left join ${PROMOTED} pr on true
    where kind = 'video' and status = 'shown' and (is_featured or promotion_id is not null) and ($2::text is null or category = $2)),
  listed as (
    (select id, rank from leaders where rank > 0 and (rank, id) < ($3::integer, $4::integer))
    union all
    (select i.id, 0 from items i where kind = 'video' and status = 'shown' and ($2::text is null or category = $2)
       and ($3 > 0 or i.id < $4) and not exists (select from leaders b where b.id = i.id and b.rank > 0)
     order by i.id desc limit $5))
  select ${COLUMNS}, s.rank from listed s join items i on i.kind = 'video' and i.id = s.id ${JOINED}
  order by s.rank desc, i.id desc limit $5`;

/** Videos that everybody sees: promoted ones, then featured ones, then the newest. Throws 400 for a cursor that is none. */
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

/** What of Top Picks is the reader's own. */
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
