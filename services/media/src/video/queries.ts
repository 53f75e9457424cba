import { z } from 'zod';
import type {
  MyTopPicks,
  TopPick,
  TopPickPage,
  TopPicksQuery,
  TopPickToCheck,
} from '@beltway/contracts/media/top-picks';
import { galleryUrl, videoUrl } from '@beltway/contracts/media/pictures';
import type { RowOf } from '@beltway/kit/columns';
import { cursorOf, readCursor } from '@beltway/kit/cursor';
import type { Queryable } from '@beltway/kit/postgres';
import { STANDING_CLIPS, freeClips } from './clips.ts';
import { videos } from './columns.ts';

type VideoRow = Omit<RowOf<typeof videos>, 'category'> & {
  category: TopPick['category'];
  title: string;
  description: string | null;
  uploadedBy: string;
  reason: string | null;
  likes: number;
  views: number;
  promotedId: number | null;
  promotedTitle: string | null;
};

/** The event of a promotion whose right stands. */
const PROMOTED = `lateral (select r.event_id, coalesce(nullif(e.title, ''), 'Event ' || r.event_id) as title
  from ${STANDING_CLIPS} where r.promotion_id = v.promotion_id and r.until > now())`;
const COLUMNS = `${videos.select(undefined, 'v')}, t.title, t.description, t.uploaded_by as "uploadedBy", t.reason,
    coalesce(l.likes, 0) as likes, coalesce(w.views, 0) as views, pr.event_id as "promotedId", pr.title as "promotedTitle"`;
const JOINED = `join video_texts t using (video_id) left join video_like_counts l using (video_id)
    left join video_view_counts w using (video_id) left join ${PROMOTED} pr on true`;
const SELECT = `select ${COLUMNS} from videos v ${JOINED}`;

/** As everybody reads it. */
const answerOf = (row: VideoRow): TopPick => ({
  id: row.videoId,
  title: row.title,
  description: row.description,
  category: row.category,
  videoUrl: videoUrl(row.file),
  thumbnailUrl: galleryUrl(row.thumbnail),
  uploadedBy: row.uploadedBy,
  uploadDate: row.uploadedAt.toISOString(),
  userId: row.userId,
  featured: row.isFeatured,
  approved: row.isApproved,
  views: row.views,
  likes: row.likes,
  promotedEvent: row.promotedId === null ? null : { id: row.promotedId, title: row.promotedTitle! },
});

/** What the order of the list goes by: 2 promoted, 1 featured, 0 neither; then the number. */
const Place = z.tuple([z.int().min(0).max(2), z.int().min(1).max(2_147_483_647)]);
const FIRST = [2, 2_147_483_647] as const;

// Few are promoted or featured: these are put in order whole. Of the others an index gives as many as are asked for.
const LIST = `with leaders as (
    select video_id, case when pr.event_id is not null then 2 when v.is_featured then 1 else 0 end as rank
    from videos v left join ${PROMOTED} pr on true
    where is_approved and (is_featured or promotion_id is not null) and ($1::text is null or category = $1)),
  listed as (
    (select video_id, rank from leaders where rank > 0 and (rank, video_id) < ($2::integer, $3::integer))
    union all
    (select video_id, 0 from videos v where is_approved and ($1::text is null or category = $1)
       and ($2 > 0 or video_id < $3) and not exists (select from leaders b where b.video_id = v.video_id and b.rank > 0)
     order by video_id desc limit $4))
  select ${COLUMNS}, s.rank from listed s join videos v using (video_id) ${JOINED}
  order by s.rank desc, video_id desc limit $4`;

/** Videos that everybody sees: promoted ones, then featured ones, then the newest. Throws 400 for a cursor that is none. */
export async function topPicks(
  db: Queryable,
  { category, cursor, limit }: z.infer<typeof TopPicksQuery>,
): Promise<TopPickPage> {
  const [rank, before] = cursor === undefined ? FIRST : readCursor(cursor, Place);
  const of = category === 'all' ? null : category;
  const { rows } = await db.query<VideoRow & { rank: number }>(LIST, [of, rank, before, limit + 1]);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(answerOf),
    nextCursor: rows.length > limit ? cursorOf([last!.rank, last!.videoId]) : null,
  };
}

/** A video, also one that was rejected. */
export async function videoById(db: Queryable, videoId: number): Promise<TopPick | undefined> {
  const { rows } = await db.query<VideoRow>(`${SELECT} where v.video_id = $1`, [videoId]);
  return rows[0] && answerOf(rows[0]);
}

/** What of Top Picks is the reader's own. */
export async function ownTopPicks(db: Queryable, userId: number): Promise<MyTopPicks> {
  const { rows: liked } = await db.query<{ id: number }>(
    'select video_id as id from video_likes where user_id = $1 order by created_at desc limit 1000',
    [userId],
  );
  const { rows } = await db.query<VideoRow>(`${SELECT} where v.user_id = $1 order by v.video_id desc limit 100`, [
    userId,
  ]);
  return {
    liked: liked.map(({ id }) => id),
    videos: rows.map((row) => ({ ...answerOf(row), reason: row.reason })),
    clips: await freeClips(db, userId),
  };
}

const TO_CHECK = {
  reported: `${SELECT} where v.open_reports > 0 and v.video_id > coalesce($1::integer, 0) order by v.video_id limit $2`,
  all: `${SELECT} where v.video_id < coalesce($1::integer, 2147483647) order by v.video_id desc limit $2`,
};
// Those since an admin last settled what was reported: as many as are open, the latest.
const REPORTS = `select reason, note, created_at as "createdAt" from video_reports where video_id = $1
  order by created_at desc, user_id limit $2`;
const SHOWN_REPORTS = 20;

/** Videos for an admin's look: those that were reported, what waits longest first; or all, the latest first. */
export async function videosToCheck(
  db: Queryable,
  { status, cursor, limit }: { status: keyof typeof TO_CHECK; cursor?: number | undefined; limit: number },
): Promise<{ items: TopPickToCheck[]; nextCursor: string | null }> {
  const { rows } = await db.query<VideoRow>(TO_CHECK[status], [cursor ?? null, limit + 1]);
  const items: TopPickToCheck[] = [];
  for (const row of rows.slice(0, limit)) {
    const reports = await db.query<{
      reason: TopPickToCheck['reports'][number]['reason'];
      note: string | null;
      createdAt: Date;
    }>(REPORTS, [row.videoId, Math.min(row.openReports, SHOWN_REPORTS)]);
    items.push({
      ...answerOf(row),
      reason: row.reason,
      reports: reports.rows.map(({ reason, note, createdAt }) => ({ reason, note, at: createdAt.toISOString() })),
    });
  }
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}
