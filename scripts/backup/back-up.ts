import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { root } from '../launcher/settings.ts';
import { StartError } from '../launcher/start-error.ts';
import { readArchive } from './archive.ts';
import { baseBackup } from './base-backup.ts';
import { copyDigested, DigestedFile, filesOf } from './files.ts';
import {
  DATABASES,
  DATABASES_MANIFEST,
  FILES,
  MANIFEST,
  manifestOf,
  type Manifest,
  type StoredFile,
} from './manifest.ts';

export interface BackUpOptions {
  dataDir: string;
  /** The target folder: empty or not existing yet, and outside the data folder. */
  folder: string;
  /** URL of the data folder's server, with the superuser. */
  adminUrl: string;
  say: (text: string) => void;
}

/** Fast rather than small, because the machine continues to sell tickets during the backup. */
const GZIP_LEVEL = 1;
const TOLD_EVERY_MS = 3_000;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

/**
 * Copies a data folder while it is in use: all databases as of one moment, and the files. A failed backup is removed. A
 * killed backup leaves a folder without a manifest, which `restore` refuses. Throws a `StartError` for errors that the
 * caller can fix.
 */
export async function backUp({ dataDir, folder, adminUrl, say }: BackUpOptions): Promise<Manifest> {
  const isNew = claimFolder(folder, dataDir);
  const startedAt = new Date().toISOString();
  const files = new Map<string, StoredFile>();
  try {
    // Copies the files before and after the databases, so that at least one of the two copies has each file that a row
    // refers to.
    await copyFiles(dataDir, folder, files);
    for (const file of await copyDatabases(folder, adminUrl, say)) files.set(file.path, file);
    const takenAt = new Date().toISOString();
    await copyFiles(dataDir, folder, files);
    const manifest = manifestOf({
      version: versionOfBeltway(),
      startedAt,
      takenAt,
      postgres: readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').trim(),
      files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    });
    say('reading it once more');
    await readArchive(folder, async ({ content }) => {
      if (content) for await (const _chunk of content);
    });
    await finish(folder, manifest);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    say(`finished: ${manifest.files.length} files, ${megabytes(bytes)}, in ${folder}`);
    return manifest;
  } catch (error) {
    // The folder was empty, so everything in it is from this backup. Deletes everything immediately, to free space on a
    // full disk.
    if (isNew) rmSync(folder, { recursive: true, force: true });
    else for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    throw explained(error, folder);
  }
}

/** Checks that the target may be used. Returns true if the folder was created. */
function claimFolder(folder: string, dataDir: string): boolean {
  const parent = nearest(folder);
  const real = join(realpathSync(parent), folder.slice(parent.length));
  if (`${real}${sep}`.startsWith(`${realpathSync(dataDir)}${sep}`))
    throw new StartError(
      `${folder} is in the data folder ${dataDir}: what happens to that one happens to the backup. Choose another place.`,
    );
  const isNew = !existsSync(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length === 0) {
      // An existing folder may be accessible to other users, so this restricts it to its owner. The files are
      // restricted to their owner anyway.
      if (process.platform !== 'win32') chmodSync(folder, 0o700);
      return isNew;
    }
  } catch (error) {
    throw explained(error, folder);
  }
  throw new StartError(`${folder} is not empty. A backup goes into a folder of its own.`);
}

/** The folder itself, or its nearest existing parent. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

async function copyFiles(dataDir: string, folder: string, files: Map<string, StoredFile>): Promise<void> {
  for (const name of await filesOf(dataDir)) {
    const path = `${FILES}/${name}`;
    if (files.has(path)) continue;
    const stored = await copyDigested(join(dataDir, ...name.split('/')), join(folder, ...path.split('/')));
    if (stored) files.set(path, { path, ...stored });
  }
}

async function copyDatabases(folder: string, adminUrl: string, say: (text: string) => void): Promise<StoredFile[]> {
  const file = await DigestedFile.create(join(folder, DATABASES));
  const gzip = createGzip({ level: GZIP_LEVEL });
  const written = gzip.pipe(
    new Writable({ write: (chunk: Buffer, _encoding, done) => void file.write(chunk).then(() => done(), done) }),
  );
  const broken = new Promise<never>((_, reject) => written.once('error', reject));
  broken.catch(() => undefined);
  let expected = 0;
  let read = 0;
  let toldAt = performance.now();
  try {
    const manifest = await baseBackup(adminUrl, {
      expect: (bytes) => {
        expected = bytes;
        say(`databases: ${megabytes(bytes)} to read`);
      },
      write: async (chunk) => {
        read += chunk.length;
        if (performance.now() - toldAt > TOLD_EVERY_MS) {
          toldAt = performance.now();
          say(`databases: ${megabytes(read)} of about ${megabytes(Math.max(expected, read))}`);
        }
        if (!gzip.write(chunk)) await Promise.race([once(gzip, 'drain'), broken]);
      },
    });
    gzip.end();
    await Promise.race([once(written, 'finish'), broken]);
    const archive = { path: DATABASES, ...(await file.finish()) };
    const list = await DigestedFile.create(join(folder, DATABASES_MANIFEST));
    await list.write(manifest);
    return [archive, { path: DATABASES_MANIFEST, ...(await list.finish()) }];
  } catch (error) {
    gzip.destroy();
    await file.close().catch(() => undefined);
    throw error;
  }
}

/** Writes the manifest last and atomically, after all the files that it lists are on disk. */
async function finish(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${MANIFEST}.new`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, MANIFEST));
  if (process.platform === 'win32') return;
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Turns errors of the target folder into readable ones. */
function explained(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const where = `${basename(resolve(folder))} in ${dirname(resolve(folder))}`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartError(
      `The disk of ${folder} is full: no backup was made, and what was begun is removed. The data were not touched.`,
      {
        cause: error,
      },
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR')
    return new StartError(`The folder ${where} cannot be written (${code}).`, { cause: error });
  return error;
}

const versionOfBeltway = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
