import { createReadStream } from 'node:fs';
import type { Pool } from 'pg';
import type { Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { ByteRange, Objects, ReadObject } from '@beltway/kit/objects';
import { kysely } from '../db.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import { keptFiles, videoDeletions } from './kept-files.ts';

/** A video's name in URLs: the hash of the video's bytes, and the file extension. */
export const VIDEO_FILE = /^[0-9a-f]{64}\.(mp4|webm|mov)$/;

/** A file on the local disk, to be stored. */
interface LocalVideo {
  name: string;
  path: string;
  bytes: number;
}

/** Files of videos, named by content. Each file is stored once, while a video refers to it. */
export interface StoredVideos {
  /**
   * Streams a file to the storage, with only a few pieces in memory. Returns a function that the caller must call once
   * a video refers to the file. Throws 503, and any error that `charge` throws.
   */
  store(video: LocalVideo, charge: Charge): Promise<() => Promise<void>>;
  /** Size in bytes of a stored file; undefined if it does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  /** null if the file was deleted. */
  read(name: string, range?: ByteRange): Promise<ReadObject | null>;
  /** Deletes files that no video refers to. */
  startDeleting(log: Logger): Worker;
}

export function openStoredVideos({ pool, objects }: { pool: Pool; objects: Objects }): StoredVideos {
  const keyOf = (name: string) => `videos/${name.slice(0, 2)}/${name}`;
  const kept = keptFiles({
    ...{ pool, queue: videoDeletions, namedBy: 'select from items where file = $1 limit 1', what: 'video' },
    forget: (tx, name) => kysely(tx).deleteFrom('videoFiles').where('name', '=', name).execute(),
  });
  return {
    async store({ name, path, bytes }, charge) {
      const isNew = !(await objects.exists(keyOf(name)));
      if (isNew) await charge(bytes);
      const release = await kept.keep(name);
      await kysely(pool)
        .insertInto('videoFiles')
        .values({ name, bytes })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      // In the meantime, another upload may have stored the file, or the deletion job may have deleted it.
      if (isNew || !(await objects.exists(keyOf(name))))
        await objects.put(keyOf(name), { stream: createReadStream(path), size: bytes });
      return release;
    },
    async sizeOf(name) {
      const file = await kysely(pool)
        .selectFrom('videoFiles')
        .select('bytes')
        .where('name', '=', name)
        .executeTakeFirst();
      return file?.bytes;
    },
    read: (name, range) => objects.read(keyOf(name), range),
    startDeleting: (log) => kept.startDeleting(log, (name) => objects.delete(keyOf(name))),
  };
}
