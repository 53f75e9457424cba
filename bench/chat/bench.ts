import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '@beltway/kit/migrate';
import { kitMigrations, serviceMigrations } from '../../scripts/launcher/migrations.ts';
import { nodeFlags } from '../../scripts/launcher/node-flags.ts';
import { root } from '../../scripts/launcher/settings.ts';
import type { Bench } from '../support/bench.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { memoryOf } from '../support/memory.ts';
import { digits, median, ratioOf } from '../support/statistics.ts';
import type { Load, Seen, Told } from './clients.ts';

const CLIENTS = 2_000;
const RATES = [20, 200, 500] as const;
const WARM_UP_MS = 1_500;
/** Pause after each rate, so that messages that stock socket.io still has queued do not affect the next measurement. */
const REST_MS = 2_000;
const here = import.meta.dirname;

/** A measured process: its program and Node flags. */
interface Side {
  script: string;
  args: string[];
  flags?: string[];
  env?: Record<string, string>;
}

interface Measured extends Seen {
  perCpuSecond: number;
  perSecond: number;
  rssMb: number;
}

export const bench: Bench = {
  about: `${CLIENTS.toLocaleString('en-US')} clients in one room, ${RATES.join(', ')} messages a second, against a stock socket.io server that stores nothing`,
  defaults: { rounds: 2, seconds: 4 },
  short: { size: 200 },

  async run(options) {
    const { rounds, seconds, size: clients = CLIENTS, say, onEnd } = options;
    const server = await startServer(options);
    const [url, busUrl] = [await server.database('realtime'), await server.database('bus')];
    await migrate(url, serviceMigrations('realtime'));
    await migrate(busUrl, [kitMigrations('bus')]);

    async function startSide({ script, args, flags = [], env }: Side) {
      const service = fork(script, args, {
        env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
        execArgv: flags,
      });
      onEnd(() => service.connected && service.disconnect());
      const [port] = (await once(service, 'message')) as [number];
      const crowd = fork(join(here, 'clients.ts'), [String(port), String(clients)]);
      onEnd(() => crowd.connected && crowd.disconnect());
      await heard(crowd, 'ready');
      return { service, crowd };
    }

    /** Starts one side, measures it at each rate and stops it, so only one side has clients at a time. */
    async function measure(side: Side, rates: readonly number[]): Promise<Measured[]> {
      const { service, crowd } = await startSide(side);
      const all: Measured[] = [];
      for (const perSecond of rates) {
        crowd.send({ perSecond, warmUpMs: WARM_UP_MS, ms: seconds * 1_000 } satisfies Load);
        await heard(crowd, 'begins');
        const [began, before] = [performance.now(), cpuSeconds(service.pid!)];
        await heard(crowd, 'ends');
        const took = (performance.now() - began) / 1_000;
        const cpu = cpuSeconds(service.pid!) - before;
        const { rssMb } = memoryOf(service.pid!);
        const { seen } = await heard(crowd, 'seen');
        all.push({ ...seen, perCpuSecond: seen.deliveries / cpu, perSecond: seen.deliveries / took, rssMb });
        await pause(REST_MS);
      }
      for (const child of [crowd, service]) {
        child.disconnect();
        await once(child, 'exit');
      }
      return all;
    }

    /** Runs with the Node flags that the launcher uses for realtime. */
    const our: Side = {
      script: join(here, 'server.ts'),
      args: [url, busUrl],
      flags: nodeFlags('realtime'),
      env: { NODE_COMPILE_CACHE: join(root, '.cache', 'node-compile') },
    };
    const stock: Side = { script: join(here, '../peers/chat.ts'), args: [] };
    const ours: Measured[][] = [];
    const theirs: Measured[][] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(our, RATES));
      theirs.push(await measure(stock, RATES));
      for (const [name, [...measured]] of [['ours', ours.at(-1)!] as const, ['stock', theirs.at(-1)!] as const])
        measured.forEach((one, at) =>
          say(
            `${name} at ${RATES[at]}/s: ${Math.round(one.perSecond).toLocaleString('en-US')} deliveries a second, ` +
              `${Math.round(one.perCpuSecond).toLocaleString('en-US')} for a second of its processor, ` +
              `p50 ${one.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} ms, ${one.rssMb} MB, ${one.gaps} gaps`,
          ),
        );
    }
    const of = (all: Measured[][], at: number, field: keyof Measured) => all.map((rates) => rates[at]![field]);
    const ratios = Object.fromEntries(
      RATES.map((rate, at) => [
        `per-cpu-${rate}`,
        ratioOf(of(ours, at, 'perCpuSecond'), of(theirs, at, 'perCpuSecond')),
      ]),
    );
    const million = RATES.length - 1;
    return {
      ...ratios,
      perSecond: Math.round(median(of(ours, million, 'perSecond'))),
      p99Ms: digits(median(of(ours, million, 'p99Ms'))),
      rssMb: Math.max(...of(ours, million, 'rssMb')),
      quietP50Ms: digits(median(of(ours, 0, 'p50Ms'))),
      quietP50StockMs: digits(median(of(theirs, 0, 'p50Ms'))),
      exact: ours.flat().every(({ gaps }) => gaps === 0),
    };
  },
};

/** Returns the child's next message that has this key. */
async function heard<Word extends 'ready' | 'begins' | 'ends' | 'seen'>(
  child: ChildProcess,
  word: Word,
): Promise<Extract<Told, Record<Word, unknown>>> {
  for (;;) {
    const [told] = (await once(child, 'message')) as [Told];
    if (word in told) return told as Extract<Told, Record<Word, unknown>>;
  }
}
