import { createReadStream } from 'node:fs';
import type { Pool } from 'pg';
import type { Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { ByteRange, Objects, ReadObject } from '@beltway/kit/objects';
import { kysely } from '../db.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import { keptFiles, videoDeletions } from './kept-files.ts';

/** A video's name as addresses have it: the hash of its bytes, and the ending of its kind. */
export const VIDEO_FILE = /^[0-9a-f]{64}\.(mp4|webm|mov)$/;

/** A file on this machine's disk that is to be stored. */
interface LocalVideo {
  name: string;
  path: string;
  bytes: number;
}

/** Files of videos, by content: the same file is kept once, for as long as a video has it. */
export interface StoredVideos {
  /** Stores a file, never more than a few pieces of it in memory. Gives what is called when a video names it. Throws 503, and what `charge` throws. */
  store(video: LocalVideo, charge: Charge): Promise<() => Promise<void>>;
  /** Bytes of a stored file; undefined when there is none of this name. */
  sizeOf(name: string): Promise<number | undefined>;
  /** null when it is gone. */
  read(name: string, range?: ByteRange): Promise<ReadObject | null>;
  /** Deletes what no video names any longer. */
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
      // Since then another upload may have stored it, or its job deleted it.
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
