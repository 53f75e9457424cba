import { createHash } from 'node:crypto';
import { MAX_PHOTO_BYTES } from '@beltway/contracts/gallery-texts';
import type { Logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { unavailable } from '@beltway/kit/problems';
import type { Pool } from 'pg';
import { pictureFiles, type PictureFiles } from '../image/files.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';

/** So long an upload may need a picture that no photo names yet. Decoding, storing and appending take seconds. */
const KEPT = '1 hour';
/** So long deleting the files of a picture may take: a few calls to the storage, which gives each up after 30 s. */
const DELETING = '10 minutes';
const SWEEP_MS = 60_000;
const AT_ONCE = 50;

export interface StoredPicture {
  /** Its name in storage and in its address. */
  picture: string;
  width: number;
  height: number;
  /** A photo names it now: as soon as none does any more, it may be deleted. Not called, the hour counts. */
  release(): Promise<void>;
}

/** Pictures of the gallery, by content: the same picture is kept once, for as long as a photo has it. */
export interface StoredPictures extends Pick<PictureFiles, 'read'> {
  /** Decodes, writes anew and stores. Throws `ImageRefused`, `Overloaded`, 503. */
  store(bytes: Uint8Array): Promise<StoredPicture>;
}

// No row comes back while its files are being deleted. Times go as text: a `Date` loses their microseconds.
const KEEP = `insert into picture_files (name, kept_until) values ($1, now() + $2::interval)
  on conflict (name) do update set kept_until = excluded.kept_until, deleting_until = null
  where picture_files.deleting_until is null or picture_files.deleting_until < now()
  returning kept_until::text as until`;
// Unless another upload has taken it since.
const RELEASE = 'update picture_files set kept_until = now() where name = $1 and kept_until = $2::timestamptz';

/**
 * Stores pictures. The row comes before the first file, so that whatever ends in between (the disk, the bucket, this process) leaves nothing that the
 * sweep does not find.
 */
export function openStoredPictures(deps: { pool: Pool; objects: Objects; workers: ImageWorkerPool }): StoredPictures {
  const files = pictureFiles(deps.objects, 'gallery');
  return {
    read: files.read,
    async store(bytes) {
      const { width, height, tint, ...sizes } = await deps.workers.develop(bytes, MAX_PHOTO_BYTES);
      const picture = `${createHash('sha256').update(sizes.large).digest('hex')}-${tint}`;
      const { rows } = await deps.pool.query<{ until: string }>(KEEP, [picture, KEPT]);
      const kept = rows[0];
      if (!kept) throw unavailable('This picture was deleted a moment ago. Please try again in a minute.', 60);
      await files.put(picture, sizes);
      const release = async () => void (await deps.pool.query(RELEASE, [picture, kept.until]));
      return { picture, width, height, release };
    },
  };
}

const CLAIM = `update picture_files f set deleting_until = now() + $1::interval where name in (
    select name from picture_files p where kept_until < now() and (deleting_until is null or deleting_until < now())
      and not exists (select from photos where picture = p.name)
    order by kept_until limit $2 for update skip locked)
  returning name, deleting_until::text as until`;

/** Deletes pictures that no photo has and no upload needs. Answers whether there may be more. */
export async function sweepPictures({ pool, objects }: { pool: Pool; objects: Objects }): Promise<boolean> {
  const files = pictureFiles(objects, 'gallery');
  const { rows } = await pool.query<{ name: string; until: string }>(CLAIM, [DELETING, AT_ONCE]);
  for (const { name, until } of rows) {
    await files.remove(name);
    // Whoever took it over since has the row.
    await pool.query('delete from picture_files where name = $1 and deleting_until = $2::timestamptz', [name, until]);
  }
  return rows.length === AT_ONCE;
}

/** Texts and keys of uploads that ended before their photo was there. */
const LEFT_TEXTS = `delete from photo_texts t where written_at < now() - $1::interval
  and not exists (select from photos where photo_id = t.photo_id)`;
const OLD_UPLOADS = `delete from photo_uploads where created_at < now() - interval '7 days'`;

export interface Sweep extends Poller {
  /** Sweeps what can be swept now. */
  now(): Promise<void>;
}

/** Sweeps every minute, and when it is woken. */
export function startSweep(deps: { pool: Pool; objects: Objects; log: Logger }): Sweep {
  async function sweep(): Promise<boolean> {
    const isMore = await sweepPictures(deps);
    await deps.pool.query(LEFT_TEXTS, [KEPT]);
    await deps.pool.query(OLD_UPLOADS);
    return isMore;
  }
  return {
    ...startPolling(deps.log, 'sweep pictures', SWEEP_MS, sweep),
    now: async () => {
      while (await sweep());
    },
  };
}
