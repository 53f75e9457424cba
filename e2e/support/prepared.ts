import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FOLDER } from './shared-systems.ts';

const WAIT_MS = 200_000;

/**
 * Fills `to` with a data folder in the state after a first start. Creating and migrating the databases costs as much
 * CPU as the rest of a start. Therefore the first story that needs the folder creates it with `make`, which starts and
 * stops a system, and all other stories copy it. Without a shared folder (`shared-systems.ts`) `to` stays empty.
 */
export async function fillPrepared(to: string, kind: string, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  const [note, claim] = [join(folder, `${kind}.note`), join(folder, `${kind}.claim`)];
  for (const until = Date.now() + WAIT_MS; !existsSync(note); await pause(100)) {
    if (Date.now() > until) throw new Error(`no process prepared a system (${kind}) within ${WAIT_MS / 1000} s`);
    if (!claimed(claim)) continue;
    try {
      const source = mkdtempSync(join(folder, `${kind}-`));
      await make(source);
      writeFileSync(`${note}.new`, source);
      renameSync(`${note}.new`, note);
    } catch (error) {
      rmdirSync(claim);
      throw error;
    }
  }
  // Preserves owners: PostgreSQL runs as another user when stories run as root.
  await promisify(execFile)('cp', ['-a', `${readFileSync(note, 'utf8')}/.`, to]);
}

function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
