import type { Objects } from '@beltway/kit/objects';
import type { PictureSize } from '@beltway/contracts/media/pictures';

export const SIZES: readonly PictureSize[] = ['large', 'medium', 'small'];

/** A picture's name as addresses have it: the hash of its large size, and its tint. */
export const PICTURE_FILE = /^([0-9a-f]{64}-[0-9a-f]{6})-(large|medium|small)\.webp$/;

/** The same as JPEG, to show beside a link. */
export const SHARED_FILE = /^([0-9a-f]{64}-[0-9a-f]{6})-share\.jpg$/;

export const bytesOf = (pictures: Record<PictureSize, Uint8Array>): number =>
  SIZES.reduce((sum, size) => sum + pictures[size].byteLength, 0);

/** The files of pictures in all sizes, in a folder of the storage. */
export interface PictureFiles {
  /** What fails is thrown when nothing is being written any more. */
  put(name: string, pictures: Record<PictureSize, Uint8Array>): Promise<void>;
  /** null when there is no such picture. */
  read(name: string, size: PictureSize): Promise<Buffer | null>;
  /** Whether it is there in all sizes. */
  exists(name: string): Promise<boolean>;
  /** Does nothing for what is not there. */
  remove(name: string): Promise<void>;
}

export function pictureFiles(objects: Objects, folder: string): PictureFiles {
  const keyOf = (name: string, size: PictureSize) => `${folder}/${name.slice(0, 2)}/${name}-${size}.webp`;
  const each = <T>(work: (size: PictureSize) => Promise<T>) => Promise.all(SIZES.map(work));
  return {
    async put(name, pictures) {
      // When one fails the others end first: nothing is written any more once this has rejected.
      const ends = await Promise.allSettled(SIZES.map((size) => objects.put(keyOf(name, size), pictures[size])));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    read: (name, size) => objects.get(keyOf(name, size)),
    exists: async (name) => (await each((size) => objects.exists(keyOf(name, size)))).every(Boolean),
    remove: async (name) => void (await each((size) => objects.delete(keyOf(name, size)))),
  };
}
