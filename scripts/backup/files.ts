import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { StoredFile } from './manifest.ts';

/** What a backup leaves out of a data folder: its databases come another way, the rest is of the copy that runs. */
const LEFT_OUT = new Set(['postgres', 'logs', 'run.json', 'processes.json', 'restoring']);

/** What is not whole yet, by the names that our own writers give it: of secrets, of mails, and the folder of pictures. */
const isDraft = (name: string): boolean => /\.(new|part)$|^\.incoming$/.test(name);

/** The files of a data folder that belong to a backup, by their paths in it, with slashes. */
export async function filesOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (path: string, isTop: boolean): Promise<void> => {
    // A folder that was removed meanwhile holds nothing any more.
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

/** A new file for its owner alone, with the digest of what is written. */
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
    // One write may take less than all of it, on a disk that is nearly full.
    for (let done = 0; done < chunk.length;) done += (await this.#file.write(chunk, done)).bytesWritten;
  }

  /** On the disk for good. */
  async finish(): Promise<Omit<StoredFile, 'path'>> {
    await this.#file.sync();
    await this.close();
    return { bytes: this.#bytes, sha256: this.#digest.digest('hex') };
  }

  /** Whether or not all of it was written. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Copies a file for its owner alone; undefined when it is there no more. */
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

/** Length and digest of a file; undefined where there is none. */
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
