import { createHash } from 'node:crypto';
import type { StoredImage } from '@beltway/contracts/media';
import { photoUrl, type PictureSize } from '@beltway/contracts/pictures';
import type { Objects } from '@beltway/kit/objects';
import type { Db } from '../db.ts';
import { singleFlight } from '../workers/single-flight.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import { pictureFiles } from './files.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused } from './refusal.ts';

export interface Images {
  /** The same bytes give the same address and are kept once. Throws `ImageRefused`, `Overloaded`. */
  store(bytes: Uint8Array, uploadedBy?: number): Promise<StoredImage>;
  /** By the name in its address: the hash of the large size, with the tint where the picture has one. */
  read(name: string, size: PictureSize): Promise<Buffer | null>;
  /** Its files in all sizes, by the same name; what is not there is left out. */
  remove(name: string): Promise<void>;
}

/** In `further_uploads`: an ad's picture, which is no account's. */
const NO_ACCOUNT = 0;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A picture as its row tells of it. Its tint is in its name: whoever has the address knows the colour. */
interface Kept {
  hash: string;
  tint: string;
  width: number;
  height: number;
}
const nameOf = ({ hash, tint }: Kept) => `${hash}-${tint}`;

const storedImage = (kept: Kept): StoredImage => ({
  url: photoUrl(nameOf(kept)),
  thumbnailUrl: photoUrl(nameOf(kept), 'small'),
  width: kept.width,
  height: kept.height,
  tint: kept.tint,
});

export function openImages({ db, objects, workers }: { db: Db; objects: Objects; workers: ImageWorkerPool }): Images {
  const once = singleFlight<StoredImage>();
  const files = pictureFiles(objects, 'images');

  /** Known bytes whose pictures are still there, in all sizes and with a tint, need no second look. */
  async function known(sourceHash: string): Promise<StoredImage | undefined> {
    const row = await (await db()).image.findUnique({ where: { sourceHash } });
    if (!row?.tint) return undefined;
    const found = { ...row, tint: row.tint };
    return (await files.exists(nameOf(found))) ? storedImage(found) : undefined;
  }

  async function develop(sourceHash: string, bytes: Uint8Array, uploadedBy: number | undefined): Promise<StoredImage> {
    const { width, height, tint, ...pictures } = await workers.develop(bytes);
    const kept = { hash: sha256(pictures.large), width, height, tint };
    // Pictures first, row last: a row promises that they are there.
    await files.put(nameOf(kept), pictures);
    const row = { sourceHash, ...kept, uploadedBy: uploadedBy ?? null };
    await (await db()).image.upsert({ where: { sourceHash }, create: row, update: kept });
    return storedImage(kept);
  }

  /** Notes who sent known bytes after somebody else: the picture is theirs too. */
  async function noteFurther(sourceHash: string, uploadedBy = NO_ACCOUNT): Promise<void> {
    await (
      await db()
    ).$executeRaw`insert into further_uploads (source_hash, uploaded_by)
      select source_hash, ${uploadedBy}::integer from images
      where source_hash = ${sourceHash} and coalesce(uploaded_by, ${NO_ACCOUNT}::integer) <> ${uploadedBy}::integer on conflict do nothing`;
  }

  return {
    async store(bytes, uploadedBy) {
      if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
      const sourceHash = sha256(bytes);
      const stored = await once(
        sourceHash,
        async () => (await known(sourceHash)) ?? develop(sourceHash, bytes, uploadedBy),
      );
      await noteFurther(sourceHash, uploadedBy);
      return stored;
    },
    read: files.read,
    remove: files.remove,
  };
}
