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
  /** Its name in storage and in its address. */
  picture: string;
  width: number;
  height: number;
  /** A photo or video names it now: it is deleted when none does any longer. Not called, it is checked after an hour. */
  release(): Promise<void>;
}

/** Pictures of the gallery and of videos, by content: the same picture is kept once, for as long as something has it. */
export interface StoredPictures extends Pick<PictureFiles, 'read'> {
  /** Decodes, writes anew and stores. Throws `ImageRefused`, `Overloaded`, 503, and what `charge` throws. */
  store(bytes: Uint8Array, charge: Charge): Promise<StoredPicture>;
  /** Deletes what nothing names any longer. */
  startDeleting(log: Logger): Worker;
}

/** A photo shows it, or a video has it as its thumbnail. */
const NAMED_BY = 'select from items where picture = $1 limit 1';

/**
 * Stores pictures. The job that deletes a picture comes before its first file: whatever fails in between (the disk, the bucket, this process)
 * leaves nothing behind.
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
