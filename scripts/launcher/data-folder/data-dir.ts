import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUser } from '../engines/run-as.ts';
import { StartError } from '../start-error.ts';

/** What others must not have: all of what group and others may do. */
const OTHERS = 0o077;

/** Makes a data folder. Whatever this process and its children write from now on is closed to others. */
export function makeDataDir(dataDir: string): void {
  process.umask(OTHERS);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/**
 * Closes a data folder of before to all but its owner: it holds mails with links that set a password. Its contents come first, so that a
 * start that is cut begins again.
 */
export function closeDataDir(dataDir: string): void {
  if (process.platform === 'win32') return;
  if ((lstatSync(dataDir).mode & 0o067) !== 0) closeAll(dataDir);
  closeFolder(dataDir);
}

/** PostgreSQL does not run as root: then the group of its user may pass through on the way to its own folder, and read nothing. */
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
    // PostgreSQL sees to its own folder, which may be another user's.
    if (entry.isSymbolicLink() || uid !== process.getuid!()) continue;
    if (entry.isDirectory() && entry.name !== 'postgres') closeAll(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS);
  }
  entries.closeSync();
}

/** Within a data folder, while a backup is put there. */
export const RESTORING = 'restoring';

/** Throws a `StartError` where a restore is under way or was cut: a start would make a new database beside half of the old one. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORING))) return;
  throw new StartError(
    `A restore to ${dataDir} is under way, or was cut: then run it again, npm run restore -- <folder>`,
  );
}
