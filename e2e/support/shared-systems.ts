import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { testFolder } from '@beltway/test-engines/folder';

/** Names the folder with those of the systems that files share, to all processes of a run. */
export const FOLDER = 'BELTWAY_E2E_SHARED';
const END_MS = 30_000;

/** vitest's global setup of the stories: a system that files share stops when their process ends, and is cleared away after it. */
export function setup(): () => Promise<void> {
  const folder = testFolder('beltway-e2e-shared-');
  // Test files run in child processes, which inherit it.
  process.env[FOLDER] = folder;
  return async () => {
    const runs = () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'processes.json')));
    for (const until = Date.now() + END_MS; runs() && Date.now() < until;) await pause(100);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A fresh folder for a system. */
export const sharedFolder = (): string => mkdtempSync(join(process.env[FOLDER]!, 'system-'));
