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
  /**
   * The same bytes give the same URL and are stored once. Throws `ImageRefused`, `Overloaded`, 503, and any error that
   * `charge` throws.
   */
  store(bytes: Uint8Array, charge: Charge, uploadedBy?: number): Promise<StoredImage>;
  /**
   * Keeps a picture that is about to be referenced. Returns false if the picture does not exist. Throws 503 while the
   * picture is being deleted.
   */
  keep(name: string): Promise<boolean>;
  /** Reads a picture by the name in its URL: the hash of the large size, and the tint. */
  read(name: string, size: PictureSize): Promise<Buffer | null>;
  /** Queues the deletion of a picture's files in all sizes, even if the picture is referenced. */
  erase(name: string): Promise<unknown>;
  /** Deletes erased pictures, and pictures that were unreferenced for the grace period. */
  startDeleting(log: Logger): Worker;
}

/** The use of a converted picture (src/mail-picture): mails and PDFs, or link previews. */
export type DerivedUse = 'mail' | 'share';
export const derivedKey = (use: DerivedUse, name: string): string => `${use}/images/${name.slice(0, 2)}/${name}.jpg`;

/** The uploader in `further_uploads` for the picture of an ad, because such a picture belongs to no account. */
const NO_ACCOUNT = 0;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A stored picture. The name contains the tint, so the URL alone gives the color. */
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

  /** Looks up known bytes, so that they are not processed again. Returns their stored picture if all sizes exist. */
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
    // Reserves the name first, so that the sweep finds the files after a crash. The row is written last, so a row
    // guarantees that all files exist.
    await keep(name);
    await files.put(name, pictures);
    const row = { sourceHash, ...stored, uploadedBy: uploadedBy ?? null };
    await (await db()).image.upsert({ where: { sourceHash }, create: row, update: stored });
    // An earlier uploader may have been erased in the meantime, together with this picture.
    if (!(await kept.stays(name))) throw unavailable('picture-unstored', 60);
    return storedImage(stored);
  }

  /** Records that another uploader sent known bytes. That uploader then owns the picture, too. */
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
      // Queues no job for a made-up name.
      if (!(await files.exists(name))) return false;
      await keep(name);
      return files.exists(name);
    },
    read: files.read,
    erase: kept.erase,
    startDeleting: (log) => kept.startDeleting(log, named, removeFiles),
  };
}
