import { Client } from 'pg';
import { rebuild } from '../../services/ticketing/src/rebuild.ts';
import type { Bench } from '../support/bench.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { durability, startServer } from '../support/database.ts';
import { median } from '../support/statistics.ts';
import { openWriter } from '../writer/sales.ts';
import { makeHistory } from './history.ts';

const EVENTS = 500_000;

export const bench: Bench = {
  about: "ticketing's read models of 500,000 events dropped and rebuilt, by the code of `npm run rebuild`",
  defaults: { rounds: 3, seconds: 0 },
  short: { size: 20_000 },

  async run(options) {
    const { rounds, say, size = EVENTS } = options;
    const server = await startServer(options);
    const url = server.url('ticketing');
    // Creating the history is not measured, so it does not wait for the disk.
    const writer = await openWriter(server, options, { synchronous_commit: 'off' });
    const from = performance.now();
    const made = await makeHistory(writer.sales, size);
    const took = (performance.now() - from) / 1_000;
    const client = new Client({ connectionString: url });
    await client.connect();
    options.onEnd(() => client.end());
    await durability(client);
    const { rows } = await client.query<{ events: string; sales: string }>(
      'select count(*) as events, count(distinct stream) as sales from events',
    );
    say(`${made} events of ${rows[0]!.sales} sales through the store in ${took.toFixed(0)} s`);
    await client.query('vacuum analyze');

    let exact = Number(rows[0]!.events) === made;
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      await server.checkpoint();
      const cpu = cpuSeconds(process.pid);
      const { events, tables, replayMs } = await rebuild(url);
      const used = cpuSeconds(process.pid) - cpu;
      rates.push(events / (replayMs / 1_000));
      say(
        `round ${round}: ${events} events in ${(replayMs / 1_000).toFixed(1)} s, ${Math.round(rates.at(-1)!)}/s; ` +
          `with the digests before and after ${used.toFixed(1)} CPU seconds`,
      );
      if (events !== made) exact = false;
      for (const { table, before, after, rows } of tables) {
        if (before === after && before !== 'empty') continue;
        exact = false;
        say(`NOT EXACT: ${table} came out different, ${rows} rows`);
      }
      if (round === 1) say(tables.map(({ table, rows }) => `${table} ${rows} rows`).join(', '));
    }
    exact = (await noticesLoss(client, url, say)) && exact;
    return { eventsPerSecond: Math.round(median(rates)), exact };
  },
};

/** Checks that the digest works: a rebuild must detect and repair one changed row. */
async function noticesLoss(client: Client, url: string, say: (line: string) => void): Promise<boolean> {
  await client.query(
    `update orders set quantity = quantity + 1 where order_id = (select order_id from orders order by order_id limit 1)`,
  );
  const damaged = (await rebuild(url)).tables.find(({ table }) => table === 'orders')!;
  const whole = (await rebuild(url)).tables.find(({ table }) => table === 'orders')!;
  const ok = damaged.before !== damaged.after && whole.before === damaged.after && whole.after === whole.before;
  say(
    ok
      ? 'control: a changed row was noticed and made good'
      : 'NOT EXACT: a changed row was not noticed or not made good',
  );
  return ok;
}
