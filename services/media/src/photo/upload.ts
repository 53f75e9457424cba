import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Photo, PhotoFields } from '@beltway/contracts/media/gallery';
import { fingerprintOf, type Context } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { HttpProblem, badField, fieldError } from '@beltway/kit/problems';
import { eventById } from '../attendance/attendance.ts';
import type { StoredPictures } from '../files/stored-pictures.ts';
import type { Items } from '../item/stream.ts';
import { toPhoto } from '../item/queries.ts';
import { publishItem, reserveItem, uploadedItem } from '../item/upload.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';
import { rightsFor } from '../uploader/rights.ts';

export interface UploadDeps {
  pool: Pool;
  items: Items;
  pictures: StoredPictures;
  stored: StoredBytes;
  clock: () => Date;
}

/** An uploaded photo before it is stored. */
export interface ArrivedPhoto extends PhotoFields {
  bytes: Buffer;
  /** The client's IP address. */
  address: string;
  /** The client's idempotency key: a repeated request with this key is the same photo. */
  key: string | undefined;
}

/** Uploads a photo. Throws errors for single fields, 403 if the account did not attend, 429, `ImageRefused`, 503. */
export async function uploadPhoto(
  { pool, items, pictures, stored, clock }: UploadDeps,
  caller: Caller,
  { bytes, key, address, ...fields }: ArrivedPhoto,
  context: Pick<Context, 'correlationId'>,
): Promise<Photo> {
  const { eventId } = fields;
  const event = await eventById(pool, eventId);
  if (!event || event.title === '') throw badField('eventId', 'invalid.photo-event');
  if (event.status === 'canceled') throw badField('eventId', 'event-canceled.photos', { status: 409 });
  const { may, verifiedBy } = await rightsFor(pool, caller, event, clock());
  if (!may) throw new HttpProblem(403, 'not-verified', { errors: [fieldError('eventId', 'invalid.photo-rights')] });

  const fingerprint = fingerprintOf({ ...fields, bytes: createHash('sha256').update(bytes).digest('hex') });
  const id = await reserveItem(pool, 'photo', { userId: caller.id, key, fingerprint });
  const charge = stored.charge('pictures', { account: caller, address });
  const { release, ...picture } = await pictures.store(bytes, charge);
  const item = { eventId, uploaderId: caller.id, ...picture };
  await publishItem({ pool, items }, 'photo', { id, item, words: fields, verifiedBy }, context);
  await release();
  return toPhoto(await uploadedItem(pool, 'photo', id, caller.id), caller.id);
}
