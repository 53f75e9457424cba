import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Photo, PhotoFields } from '@beltway/contracts/gallery';
import { PHOTO_FAULTS } from '@beltway/contracts/gallery-texts';
import { CommandReused, fingerprintOf, type Context } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { HttpProblem, badField, notFound } from '@beltway/kit/problems';
import { transaction } from '@beltway/kit/postgres';
import { eventById } from '../attendance/attendance.ts';
import { rightsFor } from '../uploader/rights.ts';
import type { Photos } from './photos.ts';
import { photoFor } from './queries.ts';
import type { StoredPictures } from './stored-pictures.ts';

export interface UploadDeps {
  pool: Pool;
  photos: Photos;
  pictures: StoredPictures;
  clock: () => Date;
}

/** Photos that an account may upload in an hour, those counted that were refused or deleted since. */
export const UPLOADS_PER_HOUR = 100;

/** A photo as it came. */
export interface ArrivedPhoto extends PhotoFields {
  bytes: Buffer;
  /** The client's: sent again, it is the same photo. */
  key: string | undefined;
}

/**
 * Uploads a photo. Its files are stored first, then its words, and the event last: whatever ends in between leaves only what the sweep
 * deletes. Throws by field, 403 for who was not there, 429, `ImageRefused`, 503.
 */
export async function uploadPhoto(
  deps: UploadDeps,
  caller: Caller,
  { bytes, key, title, description, eventId }: ArrivedPhoto,
  context: Pick<Context, 'correlationId'>,
): Promise<Photo> {
  const { pool, photos, pictures, clock } = deps;
  const event = await eventById(pool, eventId);
  if (!event || event.title === '') throw badField('eventId', PHOTO_FAULTS.event.text);
  if (event.status === 'cancelled')
    throw badField('eventId', 'This event was cancelled, so there are no photos of it.', 409, 'event-cancelled');
  const { may, verifiedBy } = await rightsFor(pool, caller, event, clock());
  if (!may)
    throw new HttpProblem(
      403,
      'not-verified',
      'You can share photos of events that you hold a ticket for, once they have begun.',
      { errors: [{ field: 'eventId', message: 'You are not verified for this event.' }] },
    );

  const fingerprint = fingerprintOf({
    title,
    description,
    eventId,
    bytes: createHash('sha256').update(bytes).digest('hex'),
  });
  const photoId = await reserve(pool, caller.id, key, fingerprint);
  const { release, ...picture } = await pictures.store(bytes);
  await pool.query(
    `insert into photo_texts (photo_id, title, description, written_at) values ($1, $2, $3, now()) on conflict do nothing`,
    [photoId, title, description ?? null],
  );
  await photos.handle(
    photoId,
    { type: 'UploadPhoto', photoId, eventId, uploaderId: caller.id, ...picture, verifiedBy },
    { ...context, commandId: `upload-photo\0${photoId}`, userId: caller.id },
  );
  await release();
  const uploaded = await photoFor(pool, caller, photoId);
  // Sent again after it was deleted.
  if (!uploaded) throw notFound('This photo');
  return uploaded;
}

/** The number for a photo: a fresh one, or the one this key stands for. Throws when the key stands for another upload, or at the limit. */
const reserve = (pool: Pool, userId: number, key: string | undefined, fingerprint: string): Promise<number> =>
  transaction(pool, async (tx) => {
    // One after the other: the limit counts what is written here.
    await tx.query(`select pg_advisory_xact_lock(hashtext('photo_uploads'), $1)`, [userId]);
    if (key !== undefined) {
      const { rows } = await tx.query<{ photo_id: number; fingerprint: string }>(
        'select photo_id, fingerprint from photo_uploads where user_id = $1 and key = $2',
        [userId, key],
      );
      if (rows[0] && rows[0].fingerprint !== fingerprint) throw new CommandReused();
      if (rows[0]) return rows[0].photo_id;
    }
    const { rows: counted } = await tx.query<{ uploads: number }>(
      `select count(*)::integer as uploads from photo_uploads where user_id = $1 and created_at > now() - interval '1 hour'`,
      [userId],
    );
    if (counted[0]!.uploads >= UPLOADS_PER_HOUR)
      throw new HttpProblem(429, 'too-many-photos', 'That is enough for an hour. Please come back later.', {
        retryAfter: 600,
      });
    const { rows } = await tx.query<{ photo_id: number }>(
      `insert into photo_uploads (user_id, key, photo_id, fingerprint, created_at)
       values ($1, $2, nextval('photo_ids'), $3, now()) returning photo_id`,
      [userId, key ?? randomUUID(), fingerprint],
    );
    return rows[0]!.photo_id;
  });
