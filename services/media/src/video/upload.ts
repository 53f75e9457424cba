import type { Pool } from 'pg';
import type { TopPick, TopPickFields } from '@beltway/contracts/media/top-picks';
import { createHash } from 'node:crypto';
import { fingerprintOf, type Context } from '@beltway/event-store';
import type { Caller } from '@beltway/kit/auth';
import { notFound } from '@beltway/kit/problems';
import type { StoredPictures } from '../files/stored-pictures.ts';
import type { StoredVideos } from '../files/stored-videos.ts';
import type { StoredBytes } from '../upload/stored-bytes.ts';
import { reserveUpload } from '../rows/uploads.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import type { ArrivedVideo } from './arrived.ts';
import { giveClipBack, takeClip } from './clips.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { videoById } from './queries.ts';
import { storeThumbnail } from './thumbnail.ts';
import type { Videos } from './stream.ts';

export interface VideoUploadDeps {
  pool: Pool;
  videos: Videos;
  files: StoredVideos;
  pictures: StoredPictures;
  stored: StoredBytes;
  workers: Pick<ImageWorkerPool, 'cover'>;
  ffmpeg: Ffmpeg;
}

/** Videos that an account may upload in an hour, those counted that were refused or deleted since. */
export const VIDEOS_PER_HOUR = 20;

/** A video as it came, judged. */
interface Arrived {
  fields: TopPickFields;
  video: ArrivedVideo;
  thumbnail: Buffer | undefined;
  /** The client's: sent again, it is the same video. */
  key: string | undefined;
  /** Where it came from. */
  address: string;
}

/**
 * Uploads a video. Its files are stored first, then its words, and the event last: whatever ends in between leaves only what the sweep
 * deletes. Throws by field, 403 without the right to a clip, 429, `ImageRefused`, 503.
 */
export async function uploadVideo(
  { pool, videos, files, pictures, stored, workers, ffmpeg }: VideoUploadDeps,
  caller: Caller,
  { fields, video, thumbnail, key, address }: Arrived,
  context: Pick<Context, 'correlationId'>,
): Promise<TopPick> {
  const { title, description, category, eventId } = fields;
  const picture = thumbnail && createHash('sha256').update(thumbnail).digest('hex');
  const fingerprint = fingerprintOf({ title, description, category, eventId, video: video.name, picture });
  let promotionId: string | null = null;
  const videoId = await reserveUpload(pool, {
    ...{ of: 'video', userId: caller.id, key, fingerprint, perHour: VIDEOS_PER_HOUR },
    also: async (tx, id) => {
      if (eventId !== undefined) promotionId = await takeClip(tx, caller.id, eventId, id);
    },
  });
  const before = await videoById(pool, videoId);
  if (before) return before;
  try {
    const uploader = { account: caller, address };
    const charge = stored.charge('pictures', uploader);
    const sheet = await storeThumbnail(
      { pictures, workers, ffmpeg },
      { given: thumbnail, path: video.path, kind: video.kind, category, charge },
    );
    const release = await files.store(video, stored.charge('videos', uploader));
    await pool.query(
      `insert into video_texts (video_id, title, description, uploaded_by, written_at) values ($1, $2, $3, $4, now())
       on conflict do nothing`,
      [videoId, title, description ?? null, caller.name],
    );
    await videos.handle(
      videoId,
      {
        ...{ type: 'UploadVideo', videoId, uploaderId: caller.id, category, promotionId },
        ...{ file: video.name, thumbnail: sheet.picture },
      },
      { ...context, commandId: `upload-video\0${videoId}`, userId: caller.id },
    );
    await Promise.all([sheet.release(), release()]);
  } catch (error) {
    await giveClipBack(pool, videoId).catch(() => undefined);
    throw error;
  }
  const uploaded = await videoById(pool, videoId);
  // Sent again after it was deleted.
  if (!uploaded) throw notFound('This video');
  return uploaded;
}
