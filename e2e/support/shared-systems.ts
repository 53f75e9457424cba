import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { testFolder } from '@beltway/test-engines/folder';

/** The variable that passes the shared systems' folder to all processes of a run. */
export const FOLDER = 'BELTWAY_E2E_SHARED';
const END_MS = 30_000;

/**
 * vitest's global setup of the stories. A shared system stops when the process that started it ends. After that, the
 * system's folder is removed.
 */
export function setup(): () => Promise<void> {
  const folder = testFolder('beltway-e2e-shared-');
  // Test files run in child processes, which inherit the variable.
  process.env[FOLDER] = folder;
  return async () => {
    const runs = () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'processes.json')));
    for (const until = Date.now() + END_MS; runs() && Date.now() < until;) await pause(100);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A fresh folder for a system. */
export const sharedFolder = (): string => mkdtempSync(join(process.env[FOLDER]!, 'system-'));
