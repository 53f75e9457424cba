import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkedKey, checkedRange, outside, sized, type Objects } from './objects.ts';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function unlessMissing<T, Missing>(work: Promise<T>, missing: Missing): Promise<T | Missing> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

/**
 * Flushes a folder, because a rename survives a power cut only if its folder was flushed too. Not every system can open
 * a folder.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Objects as files under `root`. An object is written to a temporary file, flushed, then renamed, so a crash leaves the
 * old object or no object, but never a partial object.
 */
export function folderObjects(root: string): Objects {
  const pathOf = (key: string) => join(root, ...checkedKey(key).split('/'));
  // The folder of temporary files. No key can refer to it. It is on the same disk, so that the rename is atomic.
  const desk = join(root, '.incoming');

  return {
    async put(key, body) {
      const path = pathOf(key);
      const draft = join(desk, randomUUID());
      const own = { recursive: true, mode: 0o700 };
      await Promise.all([mkdir(desk, own), mkdir(dirname(path), own)]);
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile('stream' in body ? sized(body) : body);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    get: async (key) => unlessMissing(readFile(pathOf(key)), null),

    async read(key, range) {
      const path = pathOf(key);
      const { start = 0, end = Infinity } = checkedRange(range) ?? {};
      const file = await unlessMissing(open(path, 'r'), null);
      if (!file) return null;
      const { size } = await file.stat();
      if (range && start >= size) {
        await file.close();
        throw outside();
      }
      // For an empty object the end is 0 instead of -1, because `createReadStream` rejects an end before the start.
      return { stream: file.createReadStream({ start, end: Math.max(Math.min(end, size - 1), 0) }), size };
    },

    exists: async (key) =>
      unlessMissing(
        access(pathOf(key)).then(() => true),
        false,
      ),

    async delete(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await unlessMissing(syncFolder(dirname(path)), undefined);
    },
  };
}
