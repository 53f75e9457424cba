import { randomUUID } from 'node:crypto';
import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/identity/people';
import { galleryUrl, photoUrl, videoUrl } from '@beltway/contracts/media/pictures';
import { forgetRequests } from '@beltway/kit/once';
import { erasuresOf, exportPerson } from '@beltway/kit/personal-data';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { kysely } from './db.ts';
import type { Images } from './image/images.ts';
import type { Items } from './item/stream.ts';
import { ITEM_KINDS, type ItemKind } from './item/kinds.ts';
import { removeLikesOf } from './item/likes.ts';
import { PERSONAL } from './personal-data.ts';
import type { Uploaders } from './uploader/stream.ts';

/**
 * The picture then belongs to the next account that uploaded the same bytes. Plain SQL, because the statement deletes
 * only the earliest row.
 */
const HAND_ON = `with next as (
    delete from further_uploads where (source_hash, uploaded_by) in (
      select source_hash, uploaded_by from further_uploads where source_hash = $1 order by created_at limit 1)
    returning uploaded_by)
  update images set uploaded_by = nullif(next.uploaded_by, 0) from next where source_hash = $1`;

const nameOf = ({ hash, tint }: { hash: string; tint: string }): string => `${hash}-${tint}`;

/** An account's uploaded pictures, newest first, including pictures that another account uploaded first. */
const picturesOf = (db: Queryable, userId: number) =>
  kysely(db)
    .selectFrom('images as i')
    .leftJoin('furtherUploads as f', (join) =>
      join.onRef('f.sourceHash', '=', 'i.sourceHash').on('f.uploadedBy', '=', userId),
    )
    .select(({ fn }) => ['i.hash', 'i.tint', 'i.width', 'i.height', fn.coalesce('f.createdAt', 'i.createdAt').as('at')])
    .where(({ eb, or }) => or([eb('i.uploadedBy', '=', userId), eb('f.uploadedBy', '=', userId)]))
    .orderBy('at', 'desc')
    .orderBy('i.sourceHash')
    .limit(MAX_EXPORTED)
    .execute();

const itemsOf = (db: Queryable, kind: ItemKind, userId: number) =>
  kysely(db)
    .selectFrom('items as i')
    .leftJoin('itemTexts as t', (join) => join.onRef('t.kind', '=', 'i.kind').onRef('t.id', '=', 'i.id'))
    .select(['i.id', 'i.eventId', 'i.category', 'i.status', 'i.picture', 'i.file', 'i.uploadedAt as createdAt'])
    .select(['t.title', 't.description', 't.reason'])
    .where('i.kind', '=', kind)
    .where('i.userId', '=', userId)
    .orderBy('i.id', 'desc')
    .limit(MAX_EXPORTED)
    .execute();

const likesOf = (db: Queryable, kind: ItemKind, userId: number) =>
  kysely(db)
    .selectFrom('itemLikes')
    .select([`id as ${kind}Id`, 'createdAt'])
    .where('kind', '=', kind)
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(MAX_EXPORTED)
    .execute();

/** An account's uploaded pictures, photos and videos, likes and the texts about its business, newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const declared = await exportPerson(db, PERSONAL, userId);
  const pictures = await picturesOf(db, userId);
  const [photos, videos] = [await itemsOf(db, 'photo', userId), await itemsOf(db, 'video', userId)];
  const [photoLikes, videoLikes] = [await likesOf(db, 'photo', userId), await likesOf(db, 'video', userId)];
  const lists = [pictures, photos, photoLikes, videos, videoLikes];
  return {
    ...declared,
    photos: photos.map(({ status, picture, file: _file, category: _category, ...photo }) => ({
      ...photo,
      status: status === 'shown' ? 'verified' : status,
      url: galleryUrl(picture),
    })),
    photoLikes,
    videos: videos.map(({ status, file, picture: _picture, eventId: _eventId, ...video }) => ({
      ...video,
      approved: status === 'shown',
      url: videoUrl(file!),
    })),
    videoLikes,
    pictures: pictures.map(({ width, height, at: createdAt, ...own }) => ({
      url: photoUrl(nameOf(own)),
      width,
      height,
      createdAt,
    })),
    isComplete: declared.isComplete === true && lists.every(({ length }) => length < MAX_EXPORTED),
  };
}

export interface ErasureDeps {
  pool: Pool;
  images: Pick<Images, 'erase'>;
  items: Items;
  uploaders: Uploaders;
  wakeSweep: () => void;
}

/**
 * Erases an account from media: pictures, photos and videos, likes, and the texts about the account's business.
 * Idempotent.
 */
export async function erasePerson(deps: ErasureDeps, userId: number): Promise<void> {
  const { pool, items, uploaders } = deps;
  await eraseImages(pool, deps.images, userId);
  for (const kind of ITEM_KINDS) {
    const rows = await kysely(pool)
      .selectFrom('items')
      .select('id')
      .where('kind', '=', kind)
      .where('userId', '=', userId)
      .orderBy('id')
      .execute();
    for (const { id } of rows)
      await items[kind].handle(id, { type: 'RemoveItem', by: 'erasure' }, { commandId: `${kind}-erased\0${id}` });
  }
  await uploaders.handle(userId, { type: 'DeclineVerification' }, { commandId: randomUUID() });
  await removeLikesOf(pool, userId);
  await forgetRequests(pool, userId);
  for (const statement of erasuresOf(PERSONAL)) await pool.query(statement, [userId]);
  await kysely(pool).deleteFrom('broadcastSeats').where('holder', '=', `account:${userId}`).execute();
  deps.wakeSweep();
}

/**
 * Queues the deletion of each picture, then deletes the row that refers to the picture. After a crash, the next run
 * continues. A picture that another account also uploaded then belongs to that account.
 */
async function eraseImages(pool: Queryable, images: Pick<Images, 'erase'>, userId: number): Promise<void> {
  const db = kysely(pool);
  await db.deleteFrom('furtherUploads').where('uploadedBy', '=', userId).execute();
  for (;;) {
    const rows = await db
      .selectFrom('images')
      .select(['sourceHash', 'hash', 'tint'])
      .where('uploadedBy', '=', userId)
      .orderBy('createdAt', 'desc')
      .orderBy('sourceHash')
      .limit(100)
      .execute();
    for (const own of rows) {
      const { rowCount: isHandedOn } = await pool.query(HAND_ON, [own.sourceHash]);
      if (isHandedOn) continue;
      // Another account may have uploaded the same picture in another format.
      const shared = await db
        .selectFrom('images')
        .select('sourceHash')
        .where('hash', '=', own.hash)
        .where('uploadedBy', 'is distinct from', userId)
        .limit(1)
        .executeTakeFirst();
      if (!shared) await images.erase(nameOf(own));
      await db.deleteFrom('images').where('sourceHash', '=', own.sourceHash).where('uploadedBy', '=', userId).execute();
    }
    if (rows.length < 100) return;
  }
}
