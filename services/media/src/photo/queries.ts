import type { Photo, PhotoToCheck } from '@beltway/contracts/media/gallery';
import { galleryUrl } from '@beltway/contracts/media/pictures';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { photos } from './columns.ts';

/** A photo with all that is shown of it to one reader, `$1`. */
type PhotoRow = Omit<RowOf<typeof photos>, 'status'> & {
  status: Photo['status'];
  title: string;
  description: string | null;
  reason: string | null;
  eventTitle: string | null;
  likes: number;
  isLiked: boolean;
};

const SELECT = `select ${photos.select(undefined, 'p')}, t.title, t.description, t.reason, nullif(e.title, '') as "eventTitle",
    coalesce(c.likes, 0) as likes, exists (select from photo_likes l where l.photo_id = p.photo_id and l.user_id = $1) as "isLiked"
  from photos p join photo_texts t using (photo_id) left join photo_like_counts c using (photo_id)
    left join gallery_events e using (event_id)`;

/** As the API answers it to `readerId`. Why it was rejected only its uploader reads, and admins. */
function answerOf(row: PhotoRow, readerId: number, isAdmin = false): Photo {
  const isOwn = row.userId === readerId;
  return {
    id: row.photoId,
    imageUrl: galleryUrl(row.picture),
    width: row.width,
    height: row.height,
    title: row.title,
    description: row.description,
    eventId: row.eventId,
    eventTitle: row.eventTitle,
    isVerified: row.status === 'verified',
    status: row.status,
    reason: isOwn || isAdmin ? row.reason : null,
    createdAt: row.uploadedAt.toISOString(),
    likes: row.likes,
    isLiked: row.isLiked,
    isOwn,
  };
}

interface Page {
  eventId?: number | undefined;
  /** Photos with smaller numbers than this one. */
  cursor?: number | undefined;
  limit: number;
}

// Each half has an index that gives it in its order.
const LATEST = `${SELECT} where p.photo_id in (
    (select photo_id from photos where status = 'verified' and ($2::integer is null or event_id = $2) and photo_id < $3
       order by photo_id desc limit $4)
    union
    (select photo_id from photos where user_id = $1 and ($2::integer is null or event_id = $2) and photo_id < $3
       order by photo_id desc limit $4))
  order by p.photo_id desc limit $4`;
const MAX_ID = 2_147_483_647;

/** Photos that the reader may see, the newest first: verified ones, and their own. One more than `limit` tells that there are more. */
export async function photosFor(
  db: Queryable,
  readerId: number,
  { eventId, cursor = MAX_ID, limit }: Page,
): Promise<{ items: Photo[]; nextCursor: string | null }> {
  const { rows } = await db.query<PhotoRow>(LATEST, [readerId, eventId ?? null, cursor, limit + 1]);
  const items = rows.slice(0, limit).map((row) => answerOf(row, readerId));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}

/** A photo, if this reader may see it. */
export async function photoFor(
  db: Queryable,
  { id, isAdmin = false }: { id: number; isAdmin?: boolean },
  photoId: number,
): Promise<Photo | undefined> {
  const { rows } = await db.query<PhotoRow>(`${SELECT} where p.photo_id = $2`, [id, photoId]);
  const row = rows[0];
  const maySee = row && (row.status === 'verified' || row.userId === id || isAdmin);
  return maySee ? answerOf(row, id, isAdmin) : undefined;
}

const EVENTS = `select event_id as "eventId", e.title, count(*)::integer as photos
  from photos p join gallery_events e using (event_id) where (p.status = 'verified' or p.user_id = $1) and e.title <> ''
  group by event_id, e.title order by max(p.photo_id) desc limit 200`;

/** Events with photos that the reader may see, those with the latest photo first. */
export async function eventsWithPhotos(db: Queryable, readerId: number) {
  const { rows } = await db.query<{ eventId: number; title: string; photos: number }>(EVENTS, [readerId]);
  return rows;
}

const TO_CHECK = {
  pending: `${SELECT} where p.status = 'pending' and p.photo_id > $2 order by p.photo_id limit $3`,
  reported: `${SELECT} where p.open_reports > 0 and p.photo_id > $2 order by p.photo_id limit $3`,
};
// Those since an admin last settled what was reported: as many as are open, the latest.
const REPORTS = `select reason, note, created_at as "createdAt" from photo_reports where photo_id = $1
  order by created_at desc, user_id limit $2`;
const SHOWN_REPORTS = 20;

/** Photos that wait for an admin's look, those that wait longest first. */
export async function photosToCheck(
  db: Queryable,
  adminId: number,
  { status, cursor = 0, limit }: { status: keyof typeof TO_CHECK; cursor?: number | undefined; limit: number },
): Promise<{ items: PhotoToCheck[]; nextCursor: string | null }> {
  const { rows } = await db.query<PhotoRow>(TO_CHECK[status], [adminId, cursor, limit + 1]);
  const items: PhotoToCheck[] = [];
  for (const row of rows.slice(0, limit)) {
    const reports = await db.query<{
      reason: PhotoToCheck['reports'][number]['reason'];
      note: string | null;
      createdAt: Date;
    }>(REPORTS, [row.photoId, Math.min(row.openReports, SHOWN_REPORTS)]);
    items.push({
      ...answerOf(row, adminId, true),
      uploaderId: row.userId,
      reports: reports.rows.map(({ reason, note, createdAt }) => ({ reason, note, at: createdAt.toISOString() })),
    });
  }
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.id) : null };
}
