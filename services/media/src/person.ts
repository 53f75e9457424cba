import { randomUUID } from 'node:crypto';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { photoUrl, videoUrl } from '@beltway/contracts/media/pictures';
import type { Queryable } from '@beltway/kit/postgres';
import type { Images } from './image/images.ts';
import type { Likes } from './rows/likes.ts';
import type { Photos } from './photo/stream.ts';
import type { Uploaders } from './uploader/stream.ts';
import type { Videos } from './video/stream.ts';

const OWN = `select source_hash as "sourceHash", hash, tint, width, height, created_at as "createdAt"
  from images where uploaded_by = $1 order by created_at desc, source_hash limit $2`;
/** Also those that somebody else had sent before. */
const ALL = `select i.source_hash as "sourceHash", hash, tint, width, height, coalesce(f.created_at, i.created_at) as "createdAt"
  from images i left join further_uploads f on f.source_hash = i.source_hash and f.uploaded_by = $1
  where i.uploaded_by = $1 or f.uploaded_by = $1 order by 6 desc, 1 limit $2`;
/** The next who sent the same bytes has the picture from now on. */
const HAND_ON = `with next as (
    delete from further_uploads where (source_hash, uploaded_by) in (
      select source_hash, uploaded_by from further_uploads where source_hash = $1 order by created_at limit 1)
    returning uploaded_by)
  update images set uploaded_by = nullif(next.uploaded_by, 0) from next where source_hash = $1`;

interface Own {
  sourceHash: string;
  hash: string;
  tint: string;
  width: number;
  height: number;
  createdAt: Date;
}
const nameOf = ({ hash, tint }: Pick<Own, 'hash' | 'tint'>): string => `${hash}-${tint}`;

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = `select greatest((select max(uploaded_by) from images),
  (select max(uploaded_by) from further_uploads), (select max(user_id) from photo_uploads),
  (select max(user_id) from photo_likes), (select max(buyer_id) from ticket_orders), (select max(user_id) from uploaders),
  (select max(owner_id) from broadcast_terms),
  (select max(user_id) from video_uploads), (select max(user_id) from video_likes), (select max(owner_id) from clip_events))`;

/** Pictures, photos and videos that they uploaded, what they like and reported, what their business said of itself; the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const { rows } = await db.query<Own>(ALL, [userId, MAX_EXPORTED]);
  const photos =
    await list(`select p.photo_id as id, p.event_id as "eventId", t.title, t.description, t.reason, p.status,
      '/media/gallery/' || p.picture || '-large.webp' as url, p.uploaded_at as "createdAt"
    from photos p left join photo_texts t using (photo_id) where p.user_id = $1 order by p.photo_id desc limit $2`);
  const likes = await list(`select photo_id as "photoId", created_at as "createdAt" from photo_likes
    where user_id = $1 order by created_at desc limit $2`);
  const reports = await list(`select photo_id as "photoId", reason, note, created_at as "createdAt" from photo_reports
    where user_id = $1 order by created_at desc limit $2`);
  const videos = (
    await db.query<{ file: string }>(
      `select v.video_id as id, v.category, t.title, t.description, t.reason, v.is_approved as approved, v.file,
         v.uploaded_at as "createdAt"
       from videos v left join video_texts t using (video_id) where v.user_id = $1 order by v.video_id desc limit $2`,
      [userId, MAX_EXPORTED],
    )
  ).rows.map(({ file, ...video }) => ({ ...video, url: videoUrl(file) }));
  const videoLikes = await list(`select video_id as "videoId", created_at as "createdAt" from video_likes
    where user_id = $1 order by created_at desc limit $2`);
  const videoReports =
    await list(`select video_id as "videoId", reason, note, created_at as "createdAt" from video_reports
    where user_id = $1 order by created_at desc limit $2`);
  const business = await list(`select business_name as "businessName", about from uploader_requests
    where user_id = $1 limit $2`);
  return {
    ...{ photos, photoLikes: likes, photoReports: reports, business: business[0] ?? null },
    ...{ videos, videoLikes, videoReports },
    pictures: rows.map(({ width, height, createdAt, ...own }) => ({
      url: photoUrl(nameOf(own)),
      width,
      height,
      createdAt,
    })),
    isComplete: [rows, photos, likes, reports, videos, videoLikes, videoReports].every(
      ({ length }) => length < MAX_EXPORTED,
    ),
  };
}

export interface ErasureDeps {
  pool: Queryable;
  images: Pick<Images, 'erase'>;
  photos: Photos;
  uploaders: Uploaders;
  videos: Videos;
  likes: { photos: Likes; videos: Likes };
  wakeSweep: () => void;
}

/** Takes the person out of media: their pictures, photos and videos, likes, reports, and what they said of their business. May be done again. */
export async function erasePerson(deps: ErasureDeps, userId: number): Promise<void> {
  const { pool, photos, uploaders } = deps;
  await eraseImages(pool, deps.images, userId);
  const { rows } = await pool.query<{ photoId: number }>(
    'select photo_id as "photoId" from photos where user_id = $1 order by photo_id',
    [userId],
  );
  for (const { photoId } of rows)
    await photos.handle(photoId, { type: 'RemovePhoto', by: 'erasure' }, { commandId: `photo-erased\0${photoId}` });
  await uploaders.handle(userId, { type: 'DeclineVerification' }, { commandId: randomUUID() });
  const { rows: uploaded } = await pool.query<{ videoId: number }>(
    'select video_id as "videoId" from videos where user_id = $1 order by video_id',
    [userId],
  );
  for (const { videoId } of uploaded)
    await deps.videos.handle(
      videoId,
      { type: 'RemoveVideo', by: 'erasure' },
      { commandId: `video-erased\0${videoId}` },
    );
  for (const kind of ['photo', 'video'] as const) {
    await deps.likes[`${kind}s`].removeOf(userId);
    await pool.query(`update ${kind}_reports set note = null where user_id = $1 and note is not null`, [userId]);
    await pool.query(`delete from ${kind}_uploads where user_id = $1`, [userId]);
  }
  await pool.query('delete from uploader_requests where user_id = $1', [userId]);
  await pool.query('delete from broadcast_seats where holder = $1', [`account:${userId}`]);
  await pool.query('update clip_events set owner_id = null where owner_id = $1', [userId]);
  await pool.query('update ticket_orders set buyer_id = null where buyer_id = $1', [userId]);
  deps.wakeSweep();
}

/**
 * Queues the deletion of one picture after the other, then deletes the row that names it; the next run continues where one ends in between.
 * What somebody else sent too is theirs.
 */
async function eraseImages(db: Queryable, images: Pick<Images, 'erase'>, userId: number): Promise<void> {
  await db.query('delete from further_uploads where uploaded_by = $1', [userId]);
  for (;;) {
    const { rows } = await db.query<Own>(OWN, [userId, 100]);
    for (const own of rows) {
      const { rowCount: isHandedOn } = await db.query(HAND_ON, [own.sourceHash]);
      if (isHandedOn) continue;
      // The same picture may have been sent in another form by somebody else.
      const { rowCount: isShared } = await db.query(
        'select from images where hash = $1 and uploaded_by is distinct from $2 limit 1',
        [own.hash, userId],
      );
      if (!isShared) await images.erase(nameOf(own));
      await db.query('delete from images where source_hash = $1 and uploaded_by = $2', [own.sourceHash, userId]);
    }
    if (rows.length < 100) return;
  }
}
