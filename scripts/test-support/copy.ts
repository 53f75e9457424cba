import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@beltway/kit/free-ports';
import { eventually } from '@beltway/kit/testing';
import { afterEach, beforeEach } from 'vitest';
import { isAlive } from '../launcher/processes/processes.ts';

const entry = join(import.meta.dirname, 'start-stubs.ts');

/** Creates a folder for the stubs, with their migration. `remove` ends all processes that still use it. */
async function place() {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-launcher-'));
  const dataDir = join(folder, 'data');
  const pids = join(folder, 'pids');
  const migrations = join(folder, 'stub', 'migrations');
  mkdirSync(pids);
  mkdirSync(join(migrations, '0001_starts'), { recursive: true });
  writeFileSync(join(migrations, '0001_starts', 'migration.sql'), 'create table starts (at timestamptz default now())');
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, STUB_PIDS: pids, STUB_MIGRATIONS: migrations };

  /**
   * The processes that still run. PostgreSQL and its watchdog have the folder in their command line, and services write
   * their process id to a file.
   */
  const alive = (): number[] => {
    const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    const named = lines.filter((line) => line.includes(dataDir)).map((line) => Number.parseInt(line, 10));
    return [...named, ...readdirSync(pids).map(Number)].filter(isAlive);
  };
  const killAll = () => {
    for (const pid of alive()) process.kill(pid, 'SIGKILL');
  };
  const copies: Array<ReturnType<typeof copy>> = [];
  return {
    folder,
    dataDir,
    port,
    alive,
    /** Returns the output and the logs of all copies, for the report of a failed test. */
    outputs: () => {
      const logs = join(dataDir, 'logs');
      const files = existsSync(logs) ? readdirSync(logs) : [];
      const logged = files.map((name) => `${name}:\n${readFileSync(join(logs, name), 'utf8')}`);
      return [...copies.map((one) => one.output()), ...logged].join('\n---\n');
    },
    killAll,
    url: `http://127.0.0.1:${port}`,
    /** `before`: a command that runs its remaining arguments, like npm. `after`: options. */
    start: (more: Record<string, string> = {}, before: string[] = [], after: string[] = []) => {
      const [command, ...args] = [...before, process.execPath, entry, ...after];
      const started = copy(spawn(command!, args, { env: { ...env, ...more } }));
      copies.push(started);
      return started;
    },
    remove: () => {
      killAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a new folder for each test of a file. Prints the output of the folder's copies if the test fails. */
export function placeForEachTest(): () => Awaited<ReturnType<typeof place>> {
  let here: Awaited<ReturnType<typeof place>>;
  beforeEach(async () => void (here = await place()));
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(here.outputs());
    here.remove();
  });
  return () => here;
}

function copy(child: ChildProcess) {
  let output = '';
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (output += chunk));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return {
    child,
    ended,
    output: () => output,
    /** Resolves when the copy prints that it is ready. */
    ready: () =>
      eventually(() => /^Beltway is ready at /m.test(output), { timeoutMs: 40_000, what: `ready (${output})` }),
    signal: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}
