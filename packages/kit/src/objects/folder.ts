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

/** A rename lasts through a power cut only when its folder was flushed too. Not every system can open a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Objects as files under `root`. Written beside, flushed, then renamed: a crash leaves the old object or none, never half of one. */
export function folderObjects(root: string): Objects {
  const pathOf = (key: string) => join(root, ...checkedKey(key).split('/'));
  // Outside what a key can say, on the same disk so that the rename is atomic.
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
      // An end before the start is how a stream of no bytes is asked for.
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
