import { randomUUID } from 'node:crypto';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { photoUrl, videoUrl } from '@beltway/contracts/media/pictures';
import { forgetRequests } from '@beltway/kit/once';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import type { Images } from './image/images.ts';
import type { Items } from './item/stream.ts';
import { ITEM_KINDS } from './item/kinds.ts';
import { removeLikesOf } from './item/likes.ts';
import type { Uploaders } from './uploader/stream.ts';

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
  (select max(uploaded_by) from further_uploads), (select max(user_id) from requests), (select max(user_id) from items),
  (select max(user_id) from item_likes), (select max(buyer_id) from ticket_orders), (select max(user_id) from uploaders),
  (select max(owner_id) from broadcast_terms),
  (select max(owner_id) from clip_events))`;

/** Pictures, photos and videos that they uploaded, what they like, and what they wrote about their business; the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const list = async (text: string) => (await db.query(text, [userId, MAX_EXPORTED])).rows as object[];
  const { rows } = await db.query<Own>(ALL, [userId, MAX_EXPORTED]);
  const photos = await list(`select id, event_id as "eventId", title, description, reason,
      case status when 'shown' then 'verified' else status end as status, '/media/gallery/' || picture || '-large.webp' as url, uploaded_at as "createdAt"
    from items left join item_texts using (kind, id) where kind = 'photo' and user_id = $1 order by id desc limit $2`);
  const videos = (
    await db.query<{ file: string }>(
      `select id, category, title, description, reason, status = 'shown' as approved, file, uploaded_at as "createdAt"
       from items left join item_texts using (kind, id) where kind = 'video' and user_id = $1 order by id desc limit $2`,
      [userId, MAX_EXPORTED],
    )
  ).rows.map(({ file, ...video }) => ({ ...video, url: videoUrl(file) }));
  const likesOf = (kind: string) =>
    list(`select id as "${kind}Id", created_at as "createdAt" from item_likes where kind = '${kind}' and user_id = $1
      order by created_at desc limit $2`);
  const [photoLikes, videoLikes] = [await likesOf('photo'), await likesOf('video')];
  const business = await list(`select business_name as "businessName", about from uploader_requests
    where user_id = $1 limit $2`);
  return {
    photos,
    photoLikes,
    videos,
    videoLikes,
    business: business[0] ?? null,
    pictures: rows.map(({ width, height, createdAt, ...own }) => ({
      url: photoUrl(nameOf(own)),
      width,
      height,
      createdAt,
    })),
    isComplete: [rows, photos, photoLikes, videos, videoLikes].every(({ length }) => length < MAX_EXPORTED),
  };
}

export interface ErasureDeps {
  pool: Pool;
  images: Pick<Images, 'erase'>;
  items: Items;
  uploaders: Uploaders;
  wakeSweep: () => void;
}

/** Takes the person out of media: their pictures, photos and videos, likes, and what they wrote about their business. May be done again. */
export async function erasePerson(deps: ErasureDeps, userId: number): Promise<void> {
  const { pool, items, uploaders } = deps;
  await eraseImages(pool, deps.images, userId);
  for (const kind of ITEM_KINDS) {
    const { rows } = await pool.query<{ id: number }>(
      'select id from items where kind = $1 and user_id = $2 order by id',
      [kind, userId],
    );
    for (const { id } of rows)
      await items[kind].handle(id, { type: 'RemoveItem', by: 'erasure' }, { commandId: `${kind}-erased\0${id}` });
  }
  await uploaders.handle(userId, { type: 'DeclineVerification' }, { commandId: randomUUID() });
  await removeLikesOf(pool, userId);
  await forgetRequests(pool, userId);
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
