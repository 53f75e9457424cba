import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accepts } from '@beltway/kit/port';
import { commandOf, end, hasEnded, isAlive } from '../processes/processes.ts';
import { supervise } from '../processes/supervise.ts';

export interface EngineOptions {
  /** Display name, such as Kafka. */
  name: string;
  command: string;
  /** Must contain `folder`, which identifies a process of an earlier run. */
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** The folder of the engine's data, which must exist. */
  folder: string;
  logFile: string;
  port: number;
  say: (text: string) => void;
  /** Aborts the start. */
  signal: AbortSignal;
  /** Called with the process id when the server starts, and without a process id when it ends. */
  onProcess: (pid: number | undefined) => void;
}

/** Folder and callbacks of an engine: as in `EngineOptions`, with the address at which the engine listens. */
export type Place = Pick<EngineOptions, 'folder' | 'logFile' | 'say' | 'signal'> & {
  onProcess: (pid: number | undefined, url: string) => void;
};

export interface Engine {
  /** Asks the engine to end, and resolves when it has ended. Kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

const START_MS = 60_000;

/**
 * The watchdog. When the launcher ends for any reason, the pipe closes and the watchdog's `read` ends. Then the
 * watchdog terminates the server, and kills it if it is still running after 5 s.
 */
const WATCH = `
read -r _
kill "$1" 2>/dev/null
i=0
while kill -0 "$1" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
kill -9 "$1" 2>/dev/null
`;

/**
 * Starts an external server (Kafka, Redis) and resolves when it accepts connections. Restarts the server on the same
 * port with its data whenever it ends. First ends a process of an earlier run on the same folder.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { name, say, folder } = options;
  await endStale(folder);
  const running = supervise(await launch(options), {
    name,
    launch: (onSpawn) => launch(options, onSpawn),
    onProcess: options.onProcess,
    say,
  });

  return {
    stop: async (graceMs) => {
      running.release();
      const child = running.child();
      if (child.pid && !hasEnded(child)) {
        await end(child.pid, [
          ['SIGTERM', graceMs],
          ['SIGKILL', 1_000],
        ]);
      }
    },
    kill: () => {
      running.release();
      running.child().kill('SIGKILL');
    },
  };
}

/** Returns the result of the work, or rejects when `signal` aborts, because downloads can be slow. */
export function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  );
  return Promise.race([work, stopped]);
}

const pidFile = (folder: string) => join(folder, 'engine.pid');

async function launch(options: EngineOptions, onSpawn?: (child: ChildProcess) => void): Promise<ChildProcess> {
  const { name, command, args, env, folder, logFile, port, signal } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  // The server runs in its own session: Ctrl-C in the terminal must not stop it before the services that use it.
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    cwd: folder,
    detached: true,
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  onSpawn?.(child);
  writeFileSync(pidFile(folder), String(child.pid));
  watch(child, folder);
  for (const deadline = Date.now() + START_MS; !(await accepts(port)); await pause(30)) {
    if (hasEnded(child)) throw new Error(`${name} did not start, see ${logFile}:\n${lastLines(logFile)}`);
    if (Date.now() < deadline && !signal.aborted) continue;
    child.kill('SIGKILL');
    throw new Error(`${name} did not become ready within ${START_MS / 1000} s, see ${logFile}`);
  }
  return child;
}

function watch(child: ChildProcess, folder: string): void {
  const shell = spawn('sh', ['-c', WATCH, 'watchdog', String(child.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  child.once('exit', () => shell.kill('SIGKILL'));
}

/**
 * Ends the server of an earlier run whose watchdog was killed too. Ignores a process id that now belongs to another
 * program.
 */
async function endStale(folder: string): Promise<void> {
  if (!existsSync(pidFile(folder))) return;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  if (!(pid > 0) || !isAlive(pid) || !commandOf(pid).includes(folder)) return;
  await end(pid, [
    ['SIGTERM', 5_000],
    ['SIGKILL', 1_000],
  ]);
}

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
