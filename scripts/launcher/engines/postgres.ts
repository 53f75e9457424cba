import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@beltway/kit/free-ports';
import { commandOf, end, hasEnded, isAlive } from '../processes/processes.ts';
import { binaries, command, environment, initialize } from './postgres-folder.ts';
import { runAs, type RunAs } from './run-as.ts';
import { supervise } from '../processes/supervise.ts';
import { watch } from './watchdog.ts';

export interface PostgresOptions {
  /** The data folder; created if missing. */
  folder: string;
  logFile: string;
  password: string;
  /**
   * Off for tests, whose data need not survive a power failure. If off, a new data folder uses plaintext password
   * authentication instead of SCRAM, which is faster.
   */
  durable: boolean;
  /** Removes the parent of `folder` when the process that started the server has ended for any reason. */
  temporary?: boolean;
  /** Maximum open connections; default 200. */
  connections?: number;
  /** Called when the server ended unexpectedly. It is then restarted on the same port. */
  onCrash?: (what: string) => void;
  /** Called with process id and port at each start, and without a process id at each end. */
  onProcess?: (pid: number | undefined, port: number) => void;
}

export interface Postgres {
  port: number;
  pid(): number | undefined;
  /** URL that connects to a database as the superuser. The launcher's services connect with their own roles. */
  url(database: string): string;
  /**
   * Fast shutdown: ends sessions and writes a checkpoint. If that takes longer than `graceMs`, stops the server without
   * a checkpoint, and the server recovers at its next start.
   */
  stop(graceMs?: number): Promise<void>;
  /**
   * Kills the server immediately, without a last checkpoint. Its next start replays the write-ahead log, so nothing is
   * lost if the server is `durable`.
   */
  kill(): void;
}

export const superuserUrl = (database: string, port: number, password: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

const START_MS = 60_000;
const endings = (graceMs: number): Array<[NodeJS.Signals, number]> => [
  ['SIGINT', graceMs],
  ['SIGQUIT', 1_000],
  ['SIGKILL', 1_000],
];

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  // Short queries on a small machine: parallel workers, JIT and background readers cost more than they gain.
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  io_method: 'sync',
  // After a crash, syncs the file system once instead of each of its thousands of files: 0.2 s instead of 12 s on a
  // busy disk.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] %d ',
};
const CARELESS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  autovacuum: 'off',
};

/**
 * Starts the embedded server and resolves when it accepts connections. First stops a server of an earlier run on the
 * same folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { folder, password } = options;
  const programs = await binaries();
  mkdirSync(dirname(folder), { recursive: true, mode: 0o711 });
  await stopStale(folder);
  if (!existsSync(folder)) await initialize(programs.initdb, options);
  const user = runAs(programs.postgres, folder);

  let port = await freePort();
  const first = await launch(programs.postgres, user, port, options).catch(async () => {
    // Another program may have taken the port, or the children of a killed server are still ending.
    await pause(500);
    port = await freePort();
    return launch(programs.postgres, user, port, options);
  });

  const running = supervise(first, {
    name: 'PostgreSQL',
    launch: (onSpawn) => launch(programs.postgres, user, port, options, onSpawn),
    onProcess: (pid) => options.onProcess?.(pid, port),
    say: (text) => options.onCrash?.(text),
  });

  return {
    port,
    pid: () => running.child().pid,
    url: (database) => superuserUrl(database, port, password),
    stop: async (graceMs = 6_000) => {
      running.release();
      if (!hasEnded(running.child())) await end(running.child().pid!, endings(graceMs));
    },
    kill: () => {
      running.release();
      running.child().kill('SIGQUIT');
    },
  };
}

async function launch(
  program: string,
  user: RunAs,
  port: number,
  options: PostgresOptions,
  onSpawn?: (child: ChildProcess) => void,
): Promise<ChildProcess> {
  const { folder, logFile, durable, temporary = false, connections = 200 } = options;
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : CARELESS), max_connections: connections, port });
  const args = ['-D', folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  // The server runs in its own session: Ctrl-C in the terminal must not stop it before the services that use it.
  const child = spawn(...command(program, args, user), {
    ...user.options,
    env: environment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  onSpawn?.(child);
  watch(child, folder, temporary);
  const deadline = Date.now() + START_MS;
  while (!readPidFile(folder)?.ready || readPidFile(folder)?.pid !== child.pid) {
    if (hasEnded(child)) throw new Error(`PostgreSQL did not start, see ${logFile}:\n${lastLines(logFile)}`);
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`PostgreSQL did not become ready within ${START_MS / 1000} s, see ${logFile}`);
    }
    await pause(10);
  }
  return child;
}

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');

/** PostgreSQL's pid file: process id in line 1, port in line 4, state in line 8. */
export function readPidFile(folder: string): { pid: number; port: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/**
 * Stops the server of an earlier run that was killed. Deletes the pid file; if its process id now belongs to another
 * program, that program keeps running.
 */
export async function stopStale(folder: string): Promise<boolean> {
  const note = readPidFile(folder);
  if (!note) return false;
  const ours = note.pid > 0 && isAlive(note.pid) && /postgres/.test(commandOf(note.pid));
  if (ours) await end(note.pid, endings(6_000));
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  return ours;
}
