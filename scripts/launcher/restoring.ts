import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Within a data folder, while a backup is put there. */
export const RESTORING = 'restoring';

/** Throws a `StartError` where a restore is under way or was cut: a start would make a new database beside half of the old one. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORING))) return;
  throw new StartError(
    `A restore to ${dataDir} is under way, or was cut: then run it again, npm run restore -- <folder>`,
  );
}
