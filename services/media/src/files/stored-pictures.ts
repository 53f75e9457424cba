import { createHash } from 'node:crypto';
import { MAX_PHOTO_BYTES } from '@beltway/contracts/media/gallery-texts';
import type { Objects } from '@beltway/kit/objects';
import type { Queryable } from '@beltway/kit/postgres';
import { bytesOf, pictureFiles, type PictureFiles } from '../image/files.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import { keptFiles } from './kept-files.ts';

export interface StoredPicture {
  /** Its name in storage and in its address. */
  picture: string;
  width: number;
  height: number;
  /** A photo or video names it now: as soon as none does any more, it may be deleted. Not called, the hour counts. */
  release(): Promise<void>;
}

/** Pictures of the gallery and of videos, by content: the same picture is kept once, for as long as something has it. */
export interface StoredPictures extends Pick<PictureFiles, 'read'> {
  /** Decodes, writes anew and stores. Throws `ImageRefused`, `Overloaded`, 503, and what `charge` throws. */
  store(bytes: Uint8Array, charge: Charge): Promise<StoredPicture>;
  /** Deletes what nobody has any more. Answers whether there may be more. */
  sweep(): Promise<boolean>;
}

/** A photo shows it, or a video has it as its thumbnail. */
const IS_NAMED = `exists (select from photos where picture = p.name) or exists (select from videos where thumbnail = p.name)`;

/**
 * Stores pictures. The row comes before the first file, so that whatever ends in between (the disk, the bucket, this process) leaves nothing that the
 * sweep does not find.
 */
export function openStoredPictures(deps: {
  pool: Queryable;
  objects: Objects;
  workers: Pick<ImageWorkerPool, 'develop'>;
}): StoredPictures {
  const files = pictureFiles(deps.objects, 'gallery');
  const kept = keptFiles({ db: deps.pool, table: 'picture_files', isNamed: IS_NAMED, what: 'picture' });
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
    sweep: () => kept.sweep(files.remove),
  };
}
