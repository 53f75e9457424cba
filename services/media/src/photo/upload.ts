import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Photo, PhotoFields } from '@beltway/contracts/media/gallery';
import { PHOTO_FAULTS } from '@beltway/contracts/media/gallery-texts';
import { fingerprintOf, type Context } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { HttpProblem, badField, notFound } from '@beltway/kit/problems';
import { eventById } from '../attendance/attendance.ts';
import { reserveUpload } from '../rows/uploads.ts';
import { rightsFor } from '../uploader/rights.ts';
import type { Photos } from './stream.ts';
import { photoFor } from './queries.ts';
import type { StoredPictures } from '../files/stored-pictures.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';

export interface UploadDeps {
  pool: Pool;
  photos: Photos;
  pictures: StoredPictures;
  stored: StoredBytes;
  clock: () => Date;
}

/** Photos that an account may upload in an hour, those counted that were refused or deleted since. */
export const UPLOADS_PER_HOUR = 100;

/** A photo as it came. */
export interface ArrivedPhoto extends PhotoFields {
  bytes: Buffer;
  /** Where it came from. */
  address: string;
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
  { bytes, key, address, title, description, eventId }: ArrivedPhoto,
  context: Pick<Context, 'correlationId'>,
): Promise<Photo> {
  const { pool, photos, pictures, stored, clock } = deps;
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
  const reservation = { of: 'photo', userId: caller.id, key, fingerprint, perHour: UPLOADS_PER_HOUR } as const;
  const photoId = await reserveUpload(pool, reservation);
  const { release, ...picture } = await pictures.store(bytes, stored.charge('pictures', { account: caller, address }));
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
