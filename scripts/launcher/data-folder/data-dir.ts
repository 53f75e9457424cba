import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUser } from '../engines/run-as.ts';
import { StartError } from '../start-error.ts';

/** All permissions of group and others. */
const OTHERS = 0o077;

/**
 * Creates a data folder. Files that this process and its children write from now on are accessible only to their owner.
 */
export function makeDataDir(dataDir: string): void {
  process.umask(OTHERS);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/**
 * Restricts an existing data folder to its owner, because its mails contain password links. Restricts the contents
 * first and the folder last, so that the next start repeats interrupted work.
 */
export function closeDataDir(dataDir: string): void {
  if (process.platform === 'win32') return;
  if ((lstatSync(dataDir).mode & 0o067) !== 0) closeAll(dataDir);
  closeFolder(dataDir);
}

/**
 * Restricts a folder to its owner. If the launcher runs as root, PostgreSQL runs as another user. In that case this
 * user's group may traverse the folder to reach PostgreSQL's own folder, but may read nothing.
 */
export function closeFolder(folder: string): void {
  const user = postgresUser(join(folder, 'postgres'));
  if (user) chownSync(folder, lstatSync(folder).uid, user.gid);
  chmodSync(folder, user ? 0o710 : 0o700);
}

function closeAll(folder: string): void {
  const entries = opendirSync(folder);
  for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
    const path = join(folder, entry.name);
    const { mode, uid } = lstatSync(path);
    // PostgreSQL manages its own folder, which may belong to another user.
    if (entry.isSymbolicLink() || uid !== process.getuid!()) continue;
    if (entry.isDirectory() && entry.name !== 'postgres') closeAll(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS);
  }
  entries.closeSync();
}

/** Exists in a data folder while a backup is restored there. */
export const RESTORING = 'restoring';

/**
 * Throws a `StartError` if a restore is running or was interrupted, because a start would create a new database next to
 * one half of the old database.
 */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORING))) return;
  throw new StartError(
    `A restore to ${dataDir} is under way, or was cut: then run it again, npm run restore -- <folder>`,
  );
}
