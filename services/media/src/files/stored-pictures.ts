import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { MAX_PHOTO_BYTES } from '@beltway/contracts/media/gallery-texts';
import type { Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { bytesOf, pictureFiles, type PictureFiles } from '../image/files.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import { keptFiles, pictureDeletions } from './kept-files.ts';

export interface StoredPicture {
  /** The picture's name, in storage and in URLs. */
  picture: string;
  width: number;
  height: number;
  /**
   * Must be called once a photo or video refers to the picture. The picture is then deleted together with the last
   * reference. Without this call, an hour later a job checks whether the picture is referenced.
   */
  release(): Promise<void>;
}

/**
 * Pictures of the gallery and of videos, named by content. Each picture is stored once, while a photo or video refers
 * to it.
 */
export interface StoredPictures extends Pick<PictureFiles, 'read'> {
  /**
   * Decodes, re-encodes and stores a picture. Throws `ImageRefused`, `Overloaded`, 503, and any error that `charge`
   * throws.
   */
  store(bytes: Uint8Array, charge: Charge): Promise<StoredPicture>;
  /** Deletes unreferenced pictures. */
  startDeleting(log: Logger): Worker;
}

/** The picture of a photo or the thumbnail of a video. */
const NAMED_BY = 'select from items where picture = $1 limit 1';

/**
 * Stores pictures. The job that deletes a picture is queued before the picture's first file is written. A failure of
 * the disk, the bucket or this process therefore leaves nothing behind.
 */
export function openStoredPictures(deps: {
  pool: Pool;
  objects: Objects;
  workers: Pick<ImageWorkerPool, 'develop'>;
}): StoredPictures {
  const files = pictureFiles(deps.objects, 'gallery');
  const kept = keptFiles({ pool: deps.pool, queue: pictureDeletions, namedBy: NAMED_BY, what: 'picture' });
  return {
    read: files.read,
    async store(bytes, charge) {
      const { width, height, tint, ...sizes } = await deps.workers.develop(bytes, MAX_PHOTO_BYTES);
      const picture = `${createHash('sha256').update(sizes.large).digest('hex')}-${tint}`;
      if (!(await files.exists(picture))) await charge(bytesOf(sizes));
      const release = await kept.keep(picture);
      await files.put(picture, sizes);
      return { picture, width, height, release };
    },
    startDeleting: (log) => kept.startDeleting(log, files.remove),
  };
}
