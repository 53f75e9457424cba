import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { StoredImage } from '@beltway/contracts/media/images';
import { photoUrl, type PictureSize } from '@beltway/contracts/media/pictures';
import type { Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { unavailable } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { singleFlight } from '@beltway/kit/single-flight';
import type { ImageWorkerPool } from '../workers/pool.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import { bytesOf, pictureFiles } from './files.ts';
import { keptImages, type AskNamed } from './kept-images.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused } from './refusal.ts';

export interface Images {
  /** The same bytes give the same address and are kept once. Throws `ImageRefused`, `Overloaded`, 503, and what `charge` throws. */
  store(bytes: Uint8Array, charge: Charge, uploadedBy?: number): Promise<StoredImage>;
  /** Somebody is about to name it: it stays until they do. False when it is not there. Throws 503 while it is being deleted. */
  keep(name: string): Promise<boolean>;
  /** By the name in its address: the hash of the large size, and the tint. */
  read(name: string, size: PictureSize): Promise<Buffer | null>;
  /** Deletes its files in all sizes soon, whoever names it. */
  erase(name: string): Promise<unknown>;
  /** Deletes what nobody has named for the time of grace, and what is erased. */
  startDeleting(log: Logger): Worker;
}

/** What a picture is made into (src/mail-picture): for mails and paper, and to show beside a link. */
export type DerivedUse = 'mail' | 'share';
export const derivedKey = (use: DerivedUse, name: string): string => `${use}/images/${name.slice(0, 2)}/${name}.jpg`;

/** In `further_uploads`: an ad's picture, which is no account's. */
const NO_ACCOUNT = 0;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A picture as its row tells of it. Its tint is in its name: whoever has the address knows the color. */
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

interface ImagesDeps {
  db: Db;
  pool: Pool;
  objects: Objects;
  workers: Pick<ImageWorkerPool, 'develop'>;
  named: AskNamed;
}

export function openImages({ db, pool, objects, workers, named }: ImagesDeps): Images {
  const once = singleFlight<StoredImage>();
  const files = pictureFiles(objects, 'images');
  const kept = keptImages(pool);
  const removeFiles = async (name: string) => {
    await files.remove(name);
    await objects.delete(derivedKey('mail', name));
    await objects.delete(derivedKey('share', name));
  };

  async function keep(name: string): Promise<void> {
    if (!(await kept.keep(name))) throw unavailable('picture-deleted', 60);
  }

  /** Known bytes whose pictures are still there, in all sizes, need no second look. */
  async function known(sourceHash: string): Promise<StoredImage | undefined> {
    const row = await (await db()).image.findUnique({ where: { sourceHash } });
    if (!row) return undefined;
    await keep(nameOf(row));
    return (await files.exists(nameOf(row))) ? storedImage(row) : undefined;
  }

  async function develop(
    sourceHash: string,
    bytes: Uint8Array,
    charge: Charge,
    uploadedBy: number | undefined,
  ): Promise<StoredImage> {
    const { width, height, tint, ...pictures } = await workers.develop(bytes);
    await charge(bytesOf(pictures));
    const stored = { hash: sha256(pictures.large), width, height, tint };
    const name = nameOf(stored);
    // What ends in between leaves no file that the sweep does not find; the last row promises that all are there.
    await keep(name);
    await files.put(name, pictures);
    const row = { sourceHash, ...stored, uploadedBy: uploadedBy ?? null };
    await (await db()).image.upsert({ where: { sourceHash }, create: row, update: stored });
    // Whoever had sent it before may have been erased meanwhile, and their picture with them.
    if (!(await kept.stays(name))) throw unavailable('picture-unstored', 60);
    return storedImage(stored);
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
    async store(bytes, charge, uploadedBy) {
      if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
      const sourceHash = sha256(bytes);
      const stored = await once(
        sourceHash,
        async () => (await known(sourceHash)) ?? develop(sourceHash, bytes, charge, uploadedBy),
      );
      await noteFurther(sourceHash, uploadedBy);
      return stored;
    },
    async keep(name) {
      // No row for a name that somebody made up.
      if (!(await files.exists(name))) return false;
      await keep(name);
      return files.exists(name);
    },
    read: files.read,
    erase: kept.erase,
    startDeleting: (log) => kept.startDeleting(log, named, removeFiles),
  };
}
