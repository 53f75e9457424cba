import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { TopPick, TopPickFields } from '@beltway/contracts/media/top-picks';
import { fingerprintOf, type Context } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import type { StoredPictures } from '../files/stored-pictures.ts';
import type { StoredVideos } from '../files/stored-videos.ts';
import type { Items } from '../item/stream.ts';
import { itemById, toVideo } from '../item/queries.ts';
import { publishItem, reserveItem, uploadedItem } from '../item/upload.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import type { ArrivedVideo } from './arrived.ts';
import { giveClipBack, takeClip } from './clips.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { storeThumbnail } from './thumbnail.ts';

export interface VideoUploadDeps {
  pool: Pool;
  items: Items;
  files: StoredVideos;
  pictures: StoredPictures;
  stored: StoredBytes;
  workers: Pick<ImageWorkerPool, 'cover'>;
  ffmpeg: Ffmpeg;
}

/** A received and checked video. */
interface Arrived {
  fields: TopPickFields;
  video: ArrivedVideo;
  thumbnail: Buffer | undefined;
  /** The client's idempotency key: a repeated request with this key is the same video. */
  key: string | undefined;
  /** The client's IP address. */
  address: string;
}

/** Uploads a video. Throws errors for single fields, 403 without the right to a clip, 429, `ImageRefused`, 503. */
export async function uploadVideo(
  { pool, items, files, pictures, stored, workers, ffmpeg }: VideoUploadDeps,
  caller: Caller,
  { fields, video, thumbnail, key, address }: Arrived,
  context: Pick<Context, 'correlationId'>,
): Promise<TopPick> {
  const { category, eventId } = fields;
  const picture = thumbnail && createHash('sha256').update(thumbnail).digest('hex');
  let promotionId: string | null = null;
  const id = await reserveItem(pool, 'video', {
    userId: caller.id,
    key,
    fingerprint: fingerprintOf({ ...fields, video: video.name, picture }),
    also: async (tx, videoId) => {
      if (eventId !== undefined) promotionId = await takeClip(tx, caller.id, eventId, videoId);
    },
  });
  const before = await itemById(pool, 'video', id);
  if (before) return toVideo(before);
  try {
    const uploader = { account: caller, address };
    const charge = stored.charge('pictures', uploader);
    const sheet = await storeThumbnail(
      { pictures, workers, ffmpeg },
      { given: thumbnail, path: video.path, kind: video.kind, category, charge },
    );
    const release = await files.store(video, stored.charge('videos', uploader));
    const item = { uploaderId: caller.id, category, file: video.name, picture: sheet.picture, promotionId };
    const words = { ...fields, uploadedBy: caller.name };
    await publishItem({ pool, items }, 'video', { id, item, words }, context);
    await Promise.all([sheet.release(), release()]);
  } catch (error) {
    await giveClipBack(pool, id).catch(() => undefined);
    throw error;
  }
  return toVideo(await uploadedItem(pool, 'video', id, caller.id));
}
