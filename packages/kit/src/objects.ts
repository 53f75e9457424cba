import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Where files live: a folder on one machine, an S3 bucket on many. Keys are paths of lower-case words, such as
 * `images/3f/3fa9….webp`. What is put is whole or absent; putting the same key again replaces it.
 */
export interface Objects {
  put(key: string, body: Uint8Array): Promise<void>;
  /** null when there is no such object. */
  get(key: string): Promise<Buffer | null>;
  exists(key: string): Promise<boolean>;
}

const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** No segment starts with a dot and none is empty, so no key can name a place outside the folder. */
function checked(key: string): string {
  if (key.length > 300 || !KEY.test(key)) throw new TypeError('Not an object key: ' + JSON.stringify(key.slice(0, 80)));
  return key;
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

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
  const pathOf = (key: string) => join(root, ...checked(key).split('/'));
  // Outside what a key can say, on the same disk so that the rename is atomic.
  const desk = join(root, '.incoming');

  return {
    async put(key, body) {
      const path = pathOf(key);
      const draft = join(desk, randomUUID());
      await Promise.all([mkdir(desk, { recursive: true }), mkdir(dirname(path), { recursive: true })]);
      try {
        const file = await open(draft, 'wx', 0o640);
        try {
          await file.writeFile(body);
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

    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async exists(key) {
      try {
        await access(pathOf(key));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}
