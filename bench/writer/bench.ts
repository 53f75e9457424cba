import { findPgbench, runPgbench } from '../peers/pgbench.ts';
import type { Bench } from '../support/bench.ts';
import { closedLoop } from '../support/closed-loop.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { median, ratioOf } from '../support/statistics.ts';
import { differences } from './check.ts';
import { HOT_ROW, INSERT, peerDifferences, preparePeer } from './peer.ts';
import { openSale, openWriter } from './sales.ts';
import { sellOut } from './sell-out.ts';

const CLIENTS = 64;

interface Measured {
  perSecond: number;
  ms: string;
  /** CPU seconds of server and load generator per thousand operations. */
  cpu: number;
}

export const bench: Bench = {
  about: 'holds decided, appended with fsync and answered, one hot sale, against pgbench on the same server',
  defaults: { rounds: 5, seconds: 4 },

  async run(options) {
    const { rounds, seconds, say } = options;
    const server = await startServer(options);
    const writer = await openWriter(server, options);
    const peer = await preparePeer(server);
    const pgbench = findPgbench(say);
    say(`peer: ${pgbench.name}, ${CLIENTS} clients, prepared statements`);
    const wrong: string[] = [];

    /** Runs `work` and adds its CPU cost per operation. `work` warms up for one second before it measures its rate. */
    const withCpu = async (work: () => Promise<{ perSecond: number; ms: string }>): Promise<Measured> => {
      await server.checkpoint();
      const before = cpuSeconds(process.pid);
      const from = performance.now();
      const result = await work();
      const lasted = (performance.now() - from) / 1_000;
      const used = cpuSeconds(process.pid) - before;
      return { ...result, cpu: (used / lasted / result.perSecond) * 1_000 };
    };
    const peerRun = (script: string) => async () => {
      await runPgbench(pgbench, server, { database: peer, script, clients: CLIENTS, seconds: 1 });
      const { perSecond, averageMs } = await runPgbench(pgbench, server, {
        database: peer,
        script,
        clients: CLIENTS,
        seconds: Math.max(Math.round(seconds), 1),
      });
      return { perSecond, ms: `average ${averageMs.toFixed(1)}` };
    };
    const ourRun = (outstanding: number) => async () => {
      const sale = await openSale(writer.sales);
      const { perSecond, p50Ms, p99Ms } = await closedLoop(() => sale.hold(), { outstanding, seconds });
      wrong.push(...(await differences(writer.pool, writer.sales, sale)));
      return { perSecond, ms: `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}` };
    };

    const sides = {
      'pgbench hot row': peerRun(HOT_ROW),
      'ours, 64 outstanding': ourRun(64),
      'pgbench insert': peerRun(INSERT),
      'ours, 1,000 outstanding': ourRun(1_000),
    };
    const measured = Object.fromEntries(Object.keys(sides).map((name) => [name, [] as Measured[]]));
    for (let round = 1; round <= rounds; round++) {
      for (const [name, work] of Object.entries(sides)) {
        const one = await withCpu(work);
        measured[name]!.push(one);
        say(`round ${round}: ${name.padEnd(24)}${Math.round(one.perSecond).toString().padStart(8)}/s  ${one.ms} ms`);
      }
    }
    for (const [name, all] of Object.entries(measured)) {
      const of = (pick: (one: Measured) => number) => median(all.map(pick));
      say(
        `${name.padEnd(24)}${Math.round(of((one) => one.perSecond))
          .toString()
          .padStart(8)}/s  ` + `${of((one) => one.cpu).toFixed(3)} CPU seconds per 1,000, load included`,
      );
    }

    wrong.push(...(await sellOut(writer, say)), ...(await peerDifferences(server)));
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    const rates = (name: keyof typeof sides) => measured[name]!.map(({ perSecond }) => perSecond);
    return {
      ratios: {
        'hot-row': ratioOf(rates('ours, 1,000 outstanding'), rates('pgbench hot row')),
        'insert-64': ratioOf(rates('ours, 64 outstanding'), rates('pgbench insert')),
        'insert-1000': ratioOf(rates('ours, 1,000 outstanding'), rates('pgbench insert')),
      },
      exact: wrong.length === 0,
    };
  },
};
