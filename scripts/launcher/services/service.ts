import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { restartPauses } from '../processes/supervise.ts';
import { follow, rotate } from '../processes/logs.ts';
import { nodeFlags } from '../node-flags.ts';
import { end, hasEnded, waitForEnd } from '../processes/processes.ts';
import { root } from '../settings.ts';

export interface ServiceOptions {
  /** The instance's name: `ticketing-2`. */
  name: string;
  /** The service, if it differs from `name`: `ticketing`. */
  service?: string;
  /** Absolute path of its `main.ts`. */
  entry: string;
  args?: string[];
  /** Node flags in addition to the service's flags. */
  flags?: string[];
  /** The first message to each process. */
  message?: object;
  cwd?: string;
  env: Record<string, string>;
  logFile: string;
  say: (text: string) => void;
  /** Called with the process id when the process starts, and without a process id when it ends. */
  onProcess?: (pid: number | undefined) => void;
}

export interface Service {
  name: string;
  service: string;
  pid(): number | undefined;
  /** Ends the process and restarts it immediately, because its sources changed. */
  restart(): void;
  /** Asks the process to end, and resolves when it has ended. Kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** A process that exits with success earlier than this was never ready. Restarting it immediately would loop. */
const IN_ORDER_MS = 1_000;

/**
 * How long to wait after closing the channel before sending a signal, because not every program reacts to the closed
 * channel.
 */
const HEARD_MS = 300;

/**
 * Makes glibc return memory to the system. Otherwise threads keep freed memory in up to eight arenas per processor, and
 * after 19 MB were freed (by a password hash), each arena keeps up to twice as much. After creating the demo data,
 * identity uses 36 MB less, and other services use 5 to 16 MB less.
 */
const GIVE_BACK = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The environment that services inherit, without npm's own variables, which would double its size. */
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/**
 * Runs an instance of a service and restarts it whenever it ends: after a growing pause, but immediately if it was
 * terminated (SIGTERM, as in a rolling restart) and exited with success.
 */
export function startService(options: ServiceOptions): Service {
  const {
    name,
    service = name,
    entry,
    args = [],
    flags = [],
    message,
    cwd = root,
    env,
    logFile,
    say,
    onProcess,
  } = options;
  rotate(logFile);
  const log = follow(logFile, (text) => say(`${name} ${text}`));
  const nextPause = restartPauses();
  let stopping = false;
  let restarting = false;
  let timer: NodeJS.Timeout | undefined;
  let child = launch();

  function launch(): ChildProcess {
    const fd = openSync(logFile, 'a', 0o600);
    const since = Date.now();
    const process_ = spawn(process.execPath, [...nodeFlags(service), ...flags, entry, ...args], {
      cwd,
      env: { ...GIVE_BACK, ...inherited, NODE_COMPILE_CACHE: join(root, '.cache', 'node-compile'), ...env },
      // The channel carries only `message`. When it closes, the launcher has ended for any reason, and the service
      // stops.
      stdio: ['ignore', fd, fd, 'ipc'],
      // Detached into its own process group: Ctrl-C must reach only the launcher, which stops the services in order.
      detached: true,
    });
    closeSync(fd);
    onProcess?.(process_.pid);
    // Ignores errors of `send`: a process that could not be started or has ended needs no message.
    if (message) process_.send(message, () => undefined);
    process_.on('error', (error) => say(`${name} error: ${error.message}`));
    process_.once('exit', (code, signal) => {
      log.poll();
      onProcess?.(undefined);
      if (stopping) return;
      const alive = Date.now() - since;
      const wasAsked = restarting || (code === 0 && alive >= IN_ORDER_MS);
      const wait = wasAsked ? 0 : nextPause(alive);
      const when = wait === 0 ? 'at once' : `in ${wait} ms`;
      if (!restarting) say(`${name} ended (${signal ?? `code ${code}`}), starting it again ${when}`);
      restarting = false;
      timer = setTimeout(() => (child = launch()), wait);
    });
    return process_;
  }

  return {
    name,
    service,
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
        // A closed channel means that the whole system stops, so the services need not keep serving until other
        // instances take over.
        if (child.connected) child.disconnect();
        if (await waitForEnd(child.pid, HEARD_MS)) return log.stop();
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
