import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files older than this are leftovers, because every upload is shorter. */
const LEFT_MS = 2 * 3_600_000;

/** A folder on this machine for arriving files. The file names are generated. */
export interface Spool {
  /** Calls `work` with the path of a new file, and deletes the file afterwards. */
  withFile<T>(work: (path: string) => Promise<T>): Promise<T>;
  /** Deletes files that killed processes left behind. */
  sweep(): Promise<void>;
}

export function openSpool(folder: string): Spool {
  return {
    async withFile(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `upload-${randomUUID()}`);
      try {
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((one) => one.startsWith('upload-'))) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (found && Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
      }
    },
  };
}
