import type { Objects } from '@beltway/kit/objects';
import type { PictureSize } from '@beltway/contracts/media/pictures';

export const SIZES: readonly PictureSize[] = ['large', 'medium', 'small'];

/** A picture's name in URLs: the hash of its large size, and its tint. */
export const PICTURE_FILE = /^([0-9a-f]{64}-[0-9a-f]{6})-(large|medium|small)\.webp$/;

/** The URL name of the JPEG of the same picture for link previews. */
export const SHARED_FILE = /^([0-9a-f]{64}-[0-9a-f]{6})-share\.jpg$/;

export const bytesOf = (pictures: Record<PictureSize, Uint8Array>): number =>
  SIZES.reduce((sum, size) => sum + pictures[size].byteLength, 0);

/** The files of pictures in all sizes, in one folder of the storage. */
export interface PictureFiles {
  /** When this rejects, all writes have ended. */
  put(name: string, pictures: Record<PictureSize, Uint8Array>): Promise<void>;
  /** null if there is no such picture. */
  read(name: string, size: PictureSize): Promise<Buffer | null>;
  /** Whether all sizes exist. */
  exists(name: string): Promise<boolean>;
  /** Does nothing if there is no such picture. */
  remove(name: string): Promise<void>;
}

export function pictureFiles(objects: Objects, folder: string): PictureFiles {
  const keyOf = (name: string, size: PictureSize) => `${folder}/${name.slice(0, 2)}/${name}-${size}.webp`;
  const each = <T>(work: (size: PictureSize) => Promise<T>) => Promise.all(SIZES.map(work));
  return {
    async put(name, pictures) {
      // If one write fails, waits for the other writes, so that nothing is written after this rejects.
      const ends = await Promise.allSettled(SIZES.map((size) => objects.put(keyOf(name, size), pictures[size])));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    read: (name, size) => objects.get(keyOf(name, size)),
    exists: async (name) => (await each((size) => objects.exists(keyOf(name, size)))).every(Boolean),
    remove: async (name) => void (await each((size) => objects.delete(keyOf(name, size)))),
  };
}
