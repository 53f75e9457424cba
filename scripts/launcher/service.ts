import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { backoff } from './backoff.ts';
import { follow, rotate } from './logs.ts';
import { end, hasEnded } from './processes.ts';
import { root } from './settings.ts';

export interface ServiceOptions {
  name: string;
  /** Absolute path of its `main.ts`. */
  entry: string;
  args?: string[];
  cwd?: string;
  env: Record<string, string>;
  logFile: string;
  say: (text: string) => void;
}

export interface Service {
  name: string;
  pid(): number | undefined;
  /** Ends it and starts it again at once: its sources changed. */
  restart(): void;
  /** Asks it to end; resolves when it has. After `graceMs` it is killed. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // Eight processes share a small machine: a leak should end one of them, not the machine.
  '--max-old-space-size=384',
  '--max-semi-space-size=16',
];

/** What services inherit: everything but npm's own variables, which would make each environment twice as long. */
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** Runs a service and starts it again, after a growing pause, whenever it ends by itself. */
export function startService({ name, entry, args = [], cwd = root, env, logFile, say }: ServiceOptions): Service {
  rotate(logFile);
  const log = follow(logFile, (text) => say(`${name} ${text}`));
  const nextPause = backoff();
  let stopping = false;
  let restarting = false;
  let timer: NodeJS.Timeout | undefined;
  let child = launch();

  function launch(): ChildProcess {
    const fd = openSync(logFile, 'a', 0o600);
    const since = Date.now();
    const process_ = spawn(process.execPath, [...FLAGS, entry, ...args], {
      cwd,
      env: { ...inherited, NODE_COMPILE_CACHE: join(root, '.cache', 'node-compile'), ...env },
      // The channel says nothing; its end tells the service that we are gone, however we went.
      stdio: ['ignore', fd, fd, 'ipc'],
      // Not in our process group: Ctrl-C must reach us alone, we stop the services in order.
      detached: true,
    });
    closeSync(fd);
    process_.on('error', (error) => say(`${name} error: ${error.message}`));
    process_.once('exit', (code, signal) => {
      log.poll();
      if (stopping) return;
      const wait = restarting ? 0 : nextPause(Date.now() - since);
      if (!restarting) say(`${name} ended (${signal ?? `code ${code}`}), starting it again in ${wait} ms`);
      restarting = false;
      timer = setTimeout(() => (child = launch()), wait);
    });
    return process_;
  }

  return {
    name,
    pid: () => child.pid,
    restart: () => {
      if (stopping || hasEnded(child)) return;
      restarting = true;
      const old = child;
      old.kill('SIGTERM');
      setTimeout(() => old.kill('SIGKILL'), 3_000).unref();
    },
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      if (!hasEnded(child) && child.pid) {
        await end(child.pid, [
          ['SIGTERM', graceMs],
          ['SIGKILL', 1_000],
        ]);
      }
      log.stop();
    },
    kill: () => {
      stopping = true;
      clearTimeout(timer);
      child.kill('SIGKILL');
    },
  };
}
