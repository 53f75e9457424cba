import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { restartPauses } from '../processes/supervise.ts';
import { follow, rotate } from '../processes/logs.ts';
import { nodeFlags } from '../node-flags.ts';
import { end, hasEnded, waitForEnd } from '../processes/processes.ts';
import { root } from '../settings.ts';

export interface ServiceOptions {
  /** Of this instance: `ticketing-2`. */
  name: string;
  /** What it is an instance of, when not itself: `ticketing`. */
  service?: string;
  /** Absolute path of its `main.ts`. */
  entry: string;
  args?: string[];
  /** Flags of Node, after those of the service. */
  flags?: string[];
  /** Sent to each process as its first message. */
  message?: object;
  cwd?: string;
  env: Record<string, string>;
  logFile: string;
  say: (text: string) => void;
  /** Told the process id at each start, and nothing at each end. */
  onProcess?: (pid: number | undefined) => void;
}

export interface Service {
  name: string;
  service: string;
  pid(): number | undefined;
  /** Ends it and starts it again at once: its sources changed. */
  restart(): void;
  /** Asks it to end; resolves when it has. After `graceMs` it is killed. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** Who ends well sooner than this was never up; to start that again at once would go round and round. */
const IN_ORDER_MS = 1_000;

/** Who has not ended so long after the channel is told by a signal: not every program listens to the channel. */
const HEARD_MS = 300;

/**
 * What glibc gives back to the system: it would keep freed memory for each thread in up to eight arenas per processor, and once 19 MB
 * have been freed (a password's hash) up to twice as much in each. After making the demo data identity holds 36 MB less, others 5 to 16.
 */
const GIVE_BACK = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** What services inherit: everything but npm's own variables, which would make each environment twice as long. */
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/**
 * Runs an instance of a service and starts it again whenever it ends: after a growing pause, but at once when it was asked to
 * end (SIGTERM, as in a rolling restart) and did so in order.
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
      // The channel carries only `message`. When it closes, the launcher has ended, for whatever reason, and the service stops.
      stdio: ['ignore', fd, fd, 'ipc'],
      // Not in our process group: Ctrl-C must reach us alone, we stop the services in order.
      detached: true,
    });
    closeSync(fd);
    onProcess?.(process_.pid);
    // A process that could not be started, or has ended already, needs no message.
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
        // To its services the end of the channel says that everybody goes: none needs to serve on until others have taken over.
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
