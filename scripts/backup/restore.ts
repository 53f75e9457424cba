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
  /** The target: a folder that is empty or does not exist yet. */
  dataDir: string;
  say: (text: string) => void;
}

/**
 * Creates a data folder from a backup. Verifies every file first, writes all files to a temporary folder, and moves
 * them into place at the end. After an interrupted restore Beltway refuses to start on the folder; the next restore
 * starts over. Throws a `StartError` for an incomplete backup, and for a folder that is in use or not empty.
 */
export async function restore({ folder, dataDir, say }: RestoreOptions): Promise<Manifest> {
  const programs = await binaries();
  const manifest = readManifest(folder, await majorVersion(programs.postgres));
  const lock = await takeLock(dataDir);
  if (!('release' in lock))
    throw new StartError(`Beltway is using ${dataDir}. Stop it, or restore to another DATA_DIR.`);
  try {
    refuseData(dataDir);
    say(`checking ${manifest.files.length} files of the backup from ${manifest.takenAt}`);
    for (const file of manifest.files) {
      const found = await digestOf(join(folder, ...file.path.split('/')));
      if (found?.bytes !== file.bytes || found.sha256 !== file.sha256)
        throw new StartError(
          `The backup is damaged: ${file.path} ${found ? 'does not match its checksum' : 'is missing'}.`,
        );
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
    // Moves all files first. Then removes the folder `restoring`, whose existence blocks a start.
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(dataDir, name));
    rmSync(aside, { recursive: true });
    say(`restored ${dataDir} to its state at ${manifest.takenAt}`);
    return manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    rmSync(join(dataDir, RESTORING), { recursive: true, force: true });
    throw new StartError(`The disk of ${dataDir} is full: nothing was restored.`, { cause: error });
  } finally {
    lock.release();
  }
}

/**
 * Throws if the folder has data. The remains of an interrupted restore, and the lock file of a killed run, do not
 * count.
 */
function refuseData(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  // A restore was interrupted, perhaps during its last renames: deletes all files that it had moved, so that they are
  // restored again.
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
  // PostgreSQL refuses to run as root. If this process is root, the files must belong to the user that PostgreSQL runs
  // as.
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
