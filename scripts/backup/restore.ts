import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closeFolder } from '../launcher/data-folder/data-dir.ts';
import { takeLock } from '../launcher/data-folder/lock.ts';
import { binaries, majorVersion } from '../launcher/engines/postgres-folder.ts';
import { RESTORING } from '../launcher/data-folder/data-dir.ts';
import { runAs } from '../launcher/engines/run-as.ts';
import { StartError } from '../launcher/start-error.ts';
import { readArchive } from './archive.ts';
import { copyDigested, digestOf, DigestedFile } from './files.ts';
import { FILES, readManifest, type Manifest } from './manifest.ts';

export interface RestoreOptions {
  /** A backup made by `backUp`. */
  folder: string;
  /** Empty, or not there yet. */
  dataDir: string;
  say: (text: string) => void;
}

/**
 * Makes a data folder of a backup: checks every file of it first, writes all aside, and puts it in place at the end. A restore that
 * is cut leaves a folder that nothing starts on; the next restore begins it again. Throws a `StartError` for a backup that is not
 * whole, and for a folder that is in use or holds anything.
 */
export async function restore({ folder, dataDir, say }: RestoreOptions): Promise<Manifest> {
  const programs = await binaries();
  const manifest = readManifest(folder, await majorVersion(programs.postgres));
  const lock = await takeLock(dataDir);
  if (!('release' in lock))
    throw new StartError(`Beltway runs on ${dataDir}. Stop it, or restore to another DATA_DIR.`);
  try {
    refuseData(dataDir);
    say(`checking ${manifest.files.length} files of ${manifest.takenAt}`);
    for (const file of manifest.files) {
      const found = await digestOf(join(folder, ...file.path.split('/')));
      if (found?.bytes !== file.bytes || found.sha256 !== file.sha256)
        throw new StartError(`The backup is damaged: ${file.path} is ${found ? 'not what it was' : 'missing'}.`);
    }
    const aside = join(dataDir, RESTORING);
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside, { mode: 0o700 });
    closeFolder(aside);
    for (const { path } of manifest.files) {
      if (!path.startsWith(`${FILES}/`)) continue;
      const parts = path.split('/');
      await copyDigested(join(folder, ...parts), join(aside, ...parts.slice(1)));
    }
    say('unpacking the databases');
    await unpack(folder, join(aside, 'postgres'), programs.postgres);
    // The mark that nothing may start here goes last.
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(dataDir, name));
    rmSync(aside, { recursive: true });
    say(`restored to ${dataDir}; it is as it was at ${manifest.takenAt}`);
    return manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    rmSync(join(dataDir, RESTORING), { recursive: true, force: true });
    throw new StartError(`The disk of ${dataDir} is full: nothing was restored.`, { cause: error });
  } finally {
    lock.release();
  }
}

/** What a restore that was cut left, and the note of a run that was killed, are no data. */
function refuseData(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  // A restore is cut between two of its last renames at worst: what it had moved by then is done again.
  if (names.includes(RESTORING)) {
    for (const name of names) if (name !== 'run.json') rmSync(join(dataDir, name), { recursive: true, force: true });
    return;
  }
  if (names.some((name) => name !== 'run.json'))
    throw new StartError(
      `${dataDir} is not empty (${names.slice(0, 3).join(', ')}). A backup is restored into an empty folder: set DATA_DIR to another one, or move this one away.`,
    );
}

async function unpack(folder: string, target: string, program: string): Promise<void> {
  mkdirSync(target, { mode: 0o700 });
  // PostgreSQL does not run as root: then the files are whose it runs as.
  const { identity } = runAs(program, target);
  await readArchive(folder, async ({ path: inner, content }) => {
    const path = join(target, ...inner.split('/'));
    if (!content) await mkdir(path, { recursive: true, mode: 0o700 });
    else {
      const file = await DigestedFile.create(path);
      try {
        for await (const chunk of content) await file.write(chunk);
      } finally {
        await file.close();
      }
    }
    if (identity) await chown(path, identity.uid, identity.gid);
  });
}
