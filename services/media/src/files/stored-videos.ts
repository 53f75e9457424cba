import { createReadStream } from 'node:fs';
import type { ByteRange, Objects, ReadObject } from '@beltway/kit/objects';
import type { Queryable } from '@beltway/kit/postgres';
import type { Charge } from '../upload/stored-bytes.ts';
import { keptFiles } from './kept-files.ts';

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
  /** Deletes what no video has any more. Answers whether there may be more. */
  sweep(): Promise<boolean>;
}

export function openStoredVideos({ pool, objects }: { pool: Queryable; objects: Objects }): StoredVideos {
  const keyOf = (name: string) => `videos/${name.slice(0, 2)}/${name}`;
  const isNamed = 'exists (select from videos where file = p.name)';
  const kept = keptFiles({ db: pool, table: 'video_files', isNamed, what: 'video' });
  return {
    async store({ name, path, bytes }, charge) {
      const isNew = !(await objects.exists(keyOf(name)));
      if (isNew) await charge(bytes);
      const release = await kept.keep(name, bytes);
      // Since then another upload may have stored it, or the sweep deleted it.
      if (isNew || !(await objects.exists(keyOf(name))))
        await objects.put(keyOf(name), { stream: createReadStream(path), size: bytes });
      return release;
    },
    async sizeOf(name) {
      const { rows } = await pool.query<{ bytes: number }>('select bytes from video_files where name = $1', [name]);
      return rows[0]?.bytes;
    },
    read: (name, range) => objects.read(keyOf(name), range),
    sweep: () => kept.sweep((name) => objects.delete(keyOf(name))),
  };
}
