import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { StoredFile } from './manifest.ts';

/** Excluded from a backup: `postgres` is copied separately, and the rest describes the running copy. */
const LEFT_OUT = new Set(['postgres', 'logs', 'run.json', 'processes.json', 'restoring']);

/**
 * Whether a file is incomplete, according to its name: a file of secrets or mails, or the folder of incoming pictures.
 */
const isDraft = (name: string): boolean => /\.(new|part)$|^\.incoming$/.test(name);

/** The files of a data folder that belong to a backup: relative paths, with slashes. */
export async function filesOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (path: string, isTop: boolean): Promise<void> => {
    // Treats a folder that was removed in the meantime as empty.
    for (const entry of await readdir(join(dataDir, path), { withFileTypes: true }).catch(ignoreMissing([]))) {
      if ((isTop && LEFT_OUT.has(entry.name)) || isDraft(entry.name)) continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) await walk(inner, false);
      else if (entry.isFile()) found.push(inner);
    }
  };
  await walk('', true);
  return found;
}

const ignoreMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };

/** A new file, readable only by its owner, with the digest of its content. */
export class DigestedFile {
  readonly #file: FileHandle;
  readonly #digest: Hash = createHash('sha256');
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<DigestedFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return new DigestedFile(await open(path, 'wx', 0o600));
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#digest.update(chunk);
    this.#bytes += chunk.length;
    // Repeats the write, which may be partial on a disk that is nearly full.
    for (let done = 0; done < chunk.length;) done += (await this.#file.write(chunk, done)).bytesWritten;
  }

  /** Syncs the file to disk and closes it. Returns its length and digest. */
  async finish(): Promise<Omit<StoredFile, 'path'>> {
    await this.#file.sync();
    await this.close();
    return { bytes: this.#bytes, sha256: this.#digest.digest('hex') };
  }

  /** Closes the file, even if it is incomplete. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Copies a file, readable only by its owner. Returns undefined if the file no longer exists. */
export async function copyDigested(from: string, to: string): Promise<Omit<StoredFile, 'path'> | undefined> {
  const source = await open(from, 'r').catch(ignoreMissing(undefined));
  if (!source) return undefined;
  const target = await DigestedFile.create(to).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    for await (const chunk of source.createReadStream()) await target.write(chunk as Buffer);
    return await target.finish();
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** Length and digest of a file; undefined if it does not exist. */
export async function digestOf(path: string): Promise<Omit<StoredFile, 'path'> | undefined> {
  const digest = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(path);
  stream.on('data', (chunk: Buffer | string) => {
    digest.update(chunk);
    bytes += chunk.length;
  });
  const isMissing = await finished(stream).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );
  return isMissing ? undefined : { bytes, sha256: digest.digest('hex') };
}
