import { createHash } from 'node:crypto';
import type { StoredImage } from '@beltway/contracts/media';
import { photoUrl } from '@beltway/contracts/pictures';
import type { Objects } from '@beltway/kit/objects';
import type { Db } from '../db.ts';
import { singleFlight } from '../workers/single-flight.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused } from './refusal.ts';

export type Size = 'large' | 'small';

export interface Images {
  /** The same bytes give the same address and are kept once. Throws `ImageRefused`, `Overloaded`. */
  store(bytes: Uint8Array, uploadedBy?: number): Promise<StoredImage>;
  read(hash: string, size: Size): Promise<Buffer | null>;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const keyOf = (hash: string, size: Size) => `images/${hash.slice(0, 2)}/${hash}-${size}.webp`;

const storedImage = ({ hash, width, height }: { hash: string; width: number; height: number }): StoredImage => ({
  url: photoUrl(hash),
  thumbnailUrl: photoUrl(hash, 'small'),
  width,
  height,
});

export function openImages({ db, objects, workers }: { db: Db; objects: Objects; workers: ImageWorkerPool }): Images {
  const once = singleFlight<StoredImage>();

  /** Known bytes whose pictures are still there need no second look. */
  async function known(sourceHash: string): Promise<StoredImage | undefined> {
    const row = await (await db()).image.findUnique({ where: { sourceHash } });
    if (!row) return undefined;
    const kept = await Promise.all([
      objects.exists(keyOf(row.hash, 'large')),
      objects.exists(keyOf(row.hash, 'small')),
    ]);
    return kept.every(Boolean) ? storedImage(row) : undefined;
  }

  async function develop(sourceHash: string, bytes: Uint8Array, uploadedBy: number | undefined): Promise<StoredImage> {
    const { large, small, width, height } = await workers.develop(bytes);
    const hash = sha256(large);
    // Pictures first, row last: a row promises that they are there.
    await Promise.all([objects.put(keyOf(hash, 'large'), large), objects.put(keyOf(hash, 'small'), small)]);
    const row = { sourceHash, hash, width, height, uploadedBy: uploadedBy ?? null };
    await (await db()).image.upsert({ where: { sourceHash }, create: row, update: { hash, width, height } });
    return storedImage(row);
  }

  return {
    async store(bytes, uploadedBy) {
      if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
      const sourceHash = sha256(bytes);
      return once(sourceHash, async () => (await known(sourceHash)) ?? develop(sourceHash, bytes, uploadedBy));
    },
    read: (hash, size) => objects.get(keyOf(hash, size)),
  };
}
