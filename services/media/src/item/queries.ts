import type { Pool } from 'pg';
import { olderReason } from '@beltway/contracts/identity/moderation';
import type { Photo } from '@beltway/contracts/media/gallery';
import { galleryUrl, videoUrl } from '@beltway/contracts/media/pictures';
import type { TopPick } from '@beltway/contracts/media/top-picks';
import { prepared } from '@beltway/event-store';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { openReports, reportsOf, type ModeratedDeps, type ReportShown } from '@beltway/kit/service/moderated';
import { STANDING_CLIPS } from '../video/clips.ts';
import { items } from '../generated/tables.ts';
import type { ItemKind } from './kinds.ts';

/** A photo or video with everything shown to one reader. */
export type ItemRow = Omit<RowOf<typeof items>, 'status'> & {
  status: 'pending' | 'shown' | 'rejected';
  title: string;
  description: string | null;
  /** The name of the uploader's account at the time of the upload. */
  uploadedBy: string | null;
  reason: string | null;
  eventTitle: string | null;
  likes: number;
  isLiked: boolean;
  views: number;
  promotedId: number | null;
  promotedTitle: string | null;
};

/** SQL for the event of an item's promotion, if the right to the clip is valid. */
export const PROMOTED = `lateral (select r.event_id, coalesce(nullif(e.title, ''), 'Event ' || r.event_id) as title
  from ${STANDING_CLIPS} where r.promotion_id = i.promotion_id and r.until > now())`;
/**
 * Plain SQL, because lists of items with different indexes share these columns. Selects from `items i` for the reader
 * `$1`, which may be null.
 */
export const COLUMNS = `${items.select(undefined, 'i')}, t.title, t.description, t.uploaded_by as "uploadedBy", t.reason,
    nullif(e.title, '') as "eventTitle", coalesce(l.likes, 0) as likes, coalesce(w.views, 0) as views,
    exists (select from item_likes o where o.kind = i.kind and o.id = i.id and o.user_id = $1::integer) as "isLiked",
    pr.event_id as "promotedId", pr.title as "promotedTitle"`;
export const JOINED = `join item_texts t on t.kind = i.kind and t.id = i.id
    left join item_like_counts l on l.kind = i.kind and l.id = i.id
    left join gallery_events e on e.event_id = i.event_id left join video_view_counts w on i.kind = 'video' and w.video_id = i.id
    left join ${PROMOTED} pr on true`;
export const SELECT = `select ${COLUMNS} from items i ${JOINED}`;

/** A photo as the API returns it to `readerId`. Only the uploader and admins see why the photo was rejected. */
export function toPhoto(row: ItemRow, readerId: number, isAdmin = false): Photo {
  const isOwn = row.userId === readerId;
  return {
    id: row.id,
    imageUrl: galleryUrl(row.picture),
    width: row.width!,
    height: row.height!,
    title: row.title,
    description: row.description,
    eventId: row.eventId!,
    eventTitle: row.eventTitle,
    isVerified: row.status === 'shown',
    status: row.status === 'shown' ? 'verified' : row.status,
    reason: isOwn || isAdmin ? row.reason : null,
    createdAt: row.uploadedAt.toISOString(),
    likes: row.likes,
    isLiked: row.isLiked,
    isOwn,
  };
}

/** A video as the API returns it to all visitors. */
export const toVideo = (row: ItemRow): TopPick => ({
  id: row.id,
  title: row.title,
  description: row.description,
  category: row.category as TopPick['category'],
  videoUrl: videoUrl(row.file!),
  thumbnailUrl: galleryUrl(row.picture),
  uploadedBy: row.uploadedBy ?? '',
  uploadDate: row.uploadedAt.toISOString(),
  userId: row.userId,
  featured: row.isFeatured,
  approved: row.status === 'shown',
  views: row.views,
  likes: row.likes,
  promotedEvent: row.promotedId === null ? null : { id: row.promotedId, title: row.promotedTitle! },
});

/** A photo or video, even if it is hidden. */
export async function itemById(
  db: Queryable,
  kind: ItemKind,
  id: number,
  readerId: number | null = null,
): Promise<ItemRow | undefined> {
  const { rows } = await db.query<ItemRow>(prepared(`${SELECT} where i.kind = $2 and i.id = $3`, [readerId, kind, id]));
  return rows[0];
}

const SHOWN_REPORTS = 20;

/** An admin's lists: items that wait for a check, or reported items, both oldest first; or all items, latest first. */
export type CheckStatus = 'pending' | 'reported' | 'all';
const CHECKS: Record<CheckStatus, (kind: ItemKind) => string> = {
  pending: () => `i.status = 'pending' and i.id > coalesce($3::integer, 0) order by i.id`,
  reported: (kind) =>
    `i.id in (select content_id::integer from (${openReports(kind)}) o) and i.id > coalesce($3::integer, 0) order by i.id`,
  all: () => 'i.id < coalesce($3::integer, 2147483647) order by i.id desc',
};

/** One part of an admin's list, with the open reports of each item. Throws 503 while identity is down. */
export async function itemsToCheck<Item extends { id: number }>(
  { pool, moderated }: { pool: Pool; moderated: ModeratedDeps },
  kind: ItemKind,
  {
    status,
    cursor,
    limit,
    adminId,
  }: { status: CheckStatus; cursor?: number | undefined; limit: number; adminId: number },
  toItem: (row: ItemRow) => Item,
): Promise<{
  items: Array<Item & { reports: Omit<ReportShown, 'version' | 'isSettled'>[] }>;
  nextCursor: string | null;
}> {
  const { rows } = await pool.query<ItemRow>(`${SELECT} where i.kind = $2 and ${CHECKS[status](kind)} limit $4`, [
    adminId,
    kind,
    cursor ?? null,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const reports = await reportsOf(
    moderated,
    kind,
    page.map(({ id }) => id),
  );
  return {
    items: page.map((row) => ({
      ...toItem(row),
      reports: (reports.get(String(row.id)) ?? [])
        .filter(({ isSettled }) => !isSettled)
        .slice(0, SHOWN_REPORTS)
        .map(({ reason, note, at }) => ({
          reason: kind === 'video' && reason === 'rights' ? reason : olderReason(reason),
          note,
          at,
        })),
    })),
    nextCursor: rows.length > limit ? String(page.at(-1)!.id) : null,
  };
}
