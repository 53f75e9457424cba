import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@beltway/kit/free-ports';
import { end, waitForEnd } from '../../scripts/launcher/processes/processes.ts';
import type { Bench } from '../support/bench.ts';
import { cpuSeconds, treeOf } from '../support/cpu.ts';
import { memoryOf } from '../support/memory.ts';
import { median } from '../support/statistics.ts';

const root = join(import.meta.dirname, '..', '..');
const READY_MS = 180_000;
const IDLE_SECONDS = 40;
const STOP_MS = 20_000;

interface Started {
  pid: number;
  seconds: number;
  stop(): Promise<void>;
}

/** Runs `npm start` and resolves when it prints that it is ready. */
async function start(dataDir: string): Promise<Started> {
  const from = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(await freePort()), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const stop = async () => {
    // npm may end before its children.
    const all = treeOf(child.pid!);
    await end(child.pid!, [['SIGTERM', STOP_MS]]);
    for (const pid of all) if (!(await waitForEnd(pid, STOP_MS))) throw new Error(`process ${pid} did not end`);
  };
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_MS);
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('Beltway is ready')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`npm start ended (${code}):\n${output}`)));
  }).catch(async (error: unknown) => {
    await stop().catch(() => undefined); // report the first error
    throw error;
  });
  return { pid: child.pid!, seconds: (performance.now() - from) / 1_000, stop };
}

export const bench: Bench = {
  about: `seconds from \`npm start\` to ready, packages installed, page built, data folder there; memory after ${IDLE_SECONDS} s idle, then and (\`firstMb\`) after the first start, which makes the sample events`,
  defaults: { rounds: 3, seconds: IDLE_SECONDS },
  short: { seconds: 3 },

  async run({ rounds, seconds, say, onEnd }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'beltway-bench-'));
    onEnd(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await start(dataDir);
    say(
      `first start of all, with a fresh data folder and the sample events: ${first.seconds.toFixed(1)} s, ${use(first)}`,
    );
    let firstMb: number;
    try {
      await pause(seconds * 1_000);
      firstMb = memoryOf(first.pid).rssMb;
    } finally {
      await first.stop();
    }

    const times: number[] = [];
    let memory = { rssMb: Number.NaN, rssSumMb: Number.NaN };
    for (let round = 1; round <= rounds; round++) {
      const beltway = await start(dataDir);
      try {
        times.push(beltway.seconds);
        say(`round ${round}: ready after ${beltway.seconds.toFixed(1)} s, ${use(beltway)}`);
        if (round < rounds) continue;
        const cpu = cpuSeconds(beltway.pid);
        await pause(seconds * 1_000);
        say(`idle: ${(((cpuSeconds(beltway.pid) - cpu) / seconds) * 100).toFixed(1)} % of a core`);
        const { processes, ...sums } = memoryOf(beltway.pid);
        memory = sums;
        for (const { pssMb, rssMb, command } of processes.sort((a, b) => b.pssMb - a.pssMb).slice(0, 14))
          say(`${pssMb.toFixed(0).padStart(6)} MB (${rssMb.toFixed(0)} with shared pages)  ${shorten(command)}`);
        say(`${processes.length} processes, npm and its shell among them`);
      } finally {
        await beltway.stop();
      }
    }
    return { readySeconds: Number(median(times).toFixed(2)), ...memory, firstMb };
  },
};

/** CPU time and load average, which help to interpret the result. */
const use = ({ pid }: Started) =>
  `${cpuSeconds(pid).toFixed(1)} s of processor time, load average ${loadavg()[0]!.toFixed(1)}`;

const shorten = (command: string) =>
  command
    .replaceAll(root, '.')
    .replace(/.*(?=services\/|scripts\/)/, '')
    .slice(0, 80);
