import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@beltway/kit/free-ports';
import { testFolder } from '@beltway/test-engines/folder';
import { fillPrepared } from './prepared.ts';

export interface Beltway {
  url: string;
  /** The launcher's process: everything else runs below it. */
  pid: number;
  /** Empty for one that is not ours. */
  dataDir: string;
  /** What it printed so far. */
  output(): string;
  /** As Ctrl-C does; resolves with the exit code. A data folder of our own making is removed. */
  stop(): Promise<number>;
  /** Kills the launcher outright, and leaves the data folder for a next start. */
  kill(): Promise<void>;
}

export interface BeltwayOptions {
  /** The address of one that runs already, in containers: it is neither started nor stopped, and its files are not here. */
  url?: string;
  /** Start on the data of an earlier run, or of none. Default: as a first start leaves it. */
  dataDir?: string;
  port?: number;
  /** Demo events and accounts; default off, a story makes what it needs. */
  demo?: boolean;
  /** All services in one process, which costs a third: for what neither ends a service nor runs several of one. */
  oneProcess?: boolean;
  /** On Kafka and Redis too, as `npm run start:engines`. */
  engines?: boolean;
  /** Signals of live streams are taken in on a port of its own, where a media server is installed. */
  takesSignals?: boolean;
  env?: Record<string, string>;
}

const START_MS = 100_000;
/** Kafka takes its time, and each service has topics to make there. */
const START_ENGINES_MS = 170_000;
const start = join(import.meta.dirname, '..', '..', 'scripts', 'start.mjs');

/** Starts the whole system as `npm start` (or `npm run start:engines`) does, on its own port and folder; resolves when it is ready. */
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
      // vitest's own, which would make the services and the page think they are being tested.
      NODE_ENV: '',
      VITEST: '',
      ...(options.takesSignals && { INGEST_ADDRESS: `127.0.0.1:${await freePort()}` }),
      ...options.env,
    },
    // The channel: if this test is killed, the launcher notices and stops.
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

/** Fills an empty folder as the first start of such a system leaves it (`prepared.ts`). */
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
