import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@beltway/kit/free-ports';
import { testFolder } from '@beltway/test-engines/folder';
import { fillPrepared } from './prepared.ts';

export interface Beltway {
  url: string;
  /** The launcher's process, the ancestor of all others. */
  pid: number;
  /** Empty for a system that was not started here. */
  dataDir: string;
  /** The launcher's output so far. */
  output(): string;
  /**
   * Stops the system like Ctrl-C and resolves with the exit code. Removes a data folder that `startBeltway` created.
   */
  stop(): Promise<number>;
  /** Kills the launcher and keeps the data folder for another start. */
  kill(): Promise<void>;
}

export interface BeltwayOptions {
  /**
   * The URL of a system that already runs in containers. `startBeltway` does not start or stop it, and has no access to
   * its files.
   */
  url?: string;
  /**
   * The data folder of an earlier run, or an empty folder. Default: a new folder with the state after a first start.
   */
  dataDir?: string;
  port?: number;
  /** Adds demo events and accounts. Off by default, because stories create the data that they need. */
  demo?: boolean;
  /**
   * Runs all services in one process, at a third of the cost. For stories that neither kill nor replicate a service.
   */
  oneProcess?: boolean;
  /** Uses Kafka and Redis, like `npm run start:engines`. */
  engines?: boolean;
  /** Ingests live streams on a separate port, if a media server is installed. */
  takesSignals?: boolean;
  env?: Record<string, string>;
}

const START_MS = 100_000;
/** Kafka starts slowly, and each service creates topics. */
const START_ENGINES_MS = 170_000;
const start = join(import.meta.dirname, '..', '..', 'scripts', 'start.mjs');

/**
 * Starts the whole system as `npm start` (or `npm run start:engines`) does, on its own port and folder; resolves when
 * it is ready.
 */
export async function startBeltway(options: BeltwayOptions = {}): Promise<Beltway> {
  if (options.url) return notOurs(options.url);
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? testFolder('beltway-e2e-');
  if (!options.dataDir && !options.engines) await prepareData(dataDir, options.demo);
  const flags = [...(options.engines ? ['--engines'] : []), ...(options.oneProcess ? ['--one-process'] : [])];
  const child = spawn(process.execPath, [start, ...flags], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      BELTWAY_DEMO: options.demo ? '1' : '0',
      BELTWAY_RATE_LIMITS: 'off',
      // Clears vitest's variables, because they would make services and pages behave as in unit tests.
      NODE_ENV: '',
      VITEST: '',
      ...(options.takesSignals && { INGEST_ADDRESS: `127.0.0.1:${await freePort()}` }),
      ...options.env,
    },
    // Through the `ipc` channel the launcher detects that this test was killed, and stops.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  let output = '';
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (output += chunk));
  const url = await ready(child, options.engines ? START_ENGINES_MS : START_MS, () => output);
  return {
    url,
    pid: child.pid!,
    dataDir,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await ended;
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Fills an empty folder with the state after a first start (`prepared.ts`). */
export const prepareData = (dataDir: string, demo = false): Promise<void> =>
  fillPrepared(dataDir, demo ? 'demo' : 'empty', async (folder) => {
    const first = await startBeltway({ demo, oneProcess: true, dataDir: folder });
    const code = await first.stop();
    if (code !== 0) throw new Error(`Beltway ended with ${code}:\n${first.output()}`);
  });

function notOurs(url: string): Beltway {
  const never = () => Promise.reject(new Error(`${url} is not ours to end`));
  return { url, pid: 0, dataDir: '', output: () => '', stop: () => Promise.resolve(0), kill: never };
}

function ready(child: ChildProcess, withinMs: number, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(`was not ready within ${withinMs / 1000} s`), withinMs);
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGTERM');
      reject(new Error(`Beltway ${why}:\n${output()}`));
    };
    const ended = () => fail('ended while starting');
    child.once('exit', ended);
    child.stdout!.on('data', () => {
      const url = /^Beltway is ready at (\S+)$/m.exec(output())?.[1];
      if (!url) return;
      clearTimeout(timer);
      child.off('exit', ended);
      resolve(url);
    });
  });
}
