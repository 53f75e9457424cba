import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningProcess } from '../../scripts/launcher/processes/roster.ts';
import { readPidFile } from '../../scripts/launcher/engines/postgres.ts';
import { commandOf, isAlive } from '../../scripts/launcher/processes/processes.ts';

export { isAlive };

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

const running = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** All descendants of this process, including those in another session. */
export function descendants(pid: number): number[] {
  const all = running().map((one) => [one, parentOf(one)] as const);
  const below = (parent: number): number[] =>
    all.filter(([, of]) => of === parent).flatMap(([one]) => [one, ...below(one)]);
  return below(pid);
}

/**
 * Processes of any run on this data folder: PostgreSQL and its watchdog name it in their command line, services in
 * their environment.
 */
export function runningOnFolder(dataDir: string): number[] {
  return running().filter((pid) => {
    if (pid === process.pid || !isAlive(pid)) return false;
    if (commandOf(pid).includes(dataDir)) return true;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}\0`);
    } catch {
      return false;
    }
  });
}

/** The process of one service below a launcher: `ticketing`, `sandbox`, … */
export function serviceProcess(launcher: number, name: string): number | undefined {
  const entry = name === 'sandbox' ? 'card-sandbox/src/main.ts' : `services/${name}/src/main.ts`;
  return descendants(launcher).find((pid) => isAlive(pid) && commandOf(pid).includes(entry));
}

export function postgresProcess(dataDir: string): number | undefined {
  const folder = join(dataDir, 'postgres');
  return existsSync(folder) ? readPidFile(folder)?.pid : undefined;
}

/** The processes listed in a data folder. */
export const processesOf = (dataDir: string): RunningProcess[] =>
  JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as RunningProcess[];

/** Whether one instance of a service reports ready. Rejects if it does not respond within `timeoutMs`. */
export async function isReady(
  { service, url }: Pick<RunningProcess, 'service' | 'url'>,
  timeoutMs = 5_000,
): Promise<boolean> {
  const path = service === 'gateway' ? '/api/health/ready' : '/health/ready';
  return (await fetch(new URL(path, url), { signal: AbortSignal.timeout(timeoutMs) })).ok;
}

/** The process of one instance on a data folder, such as `ticketing-2` or `kafka`, while it runs. */
export const instanceProcess = (dataDir: string, name: string): number | undefined =>
  processesOf(dataDir).find((one) => one.name === name)?.pid;
