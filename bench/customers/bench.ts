import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { migrate } from '@beltway/kit/migrate';
import type { Bench, Options } from '../support/bench.ts';
import { openConnection, requestOf } from '../support/connection.ts';
import { startServer } from '../support/database.ts';
import { memoryOf } from '../support/memory.ts';
import { digits, median, percentile } from '../support/statistics.ts';

const ORDERS = 200_000;
const ASKED = 40;
const root = join(import.meta.dirname, '../..');

/** A thousand events; of every ten orders one is of event 1, whose organiser is number 7. */
async function fill(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    const id = `overlay(overlay(md5('order' || n) placing '4' from 13) placing '8' from 17)::uuid`;
    await client.query(`
      insert into listings (event_id, organiser_id, title, location, event_date, event_start_time)
        select n, case when n <= 2 then 7 else 100 + n % 50 end, 'Event ' || n, 'DC', now(), '19:00' from generate_series(1, 1000) n;
      insert into orders (order_id, event_id, quantity, price_cents, status, held_at, hold_until)
        select ${id}, case when n % 10 = 0 then 1 else 1 + n % 1000 end, 1 + n % 4, 2550,
          case when n % 50 = 0 then 'refunding' else 'fulfilled' end, now() - n * interval '1 minute', now() from generate_series(1, ${count}) n;
      insert into checkouts (order_id, holder_name, holder_email)
        select ${id}, 'Buyer ' || n || ' Everywhere', 'b' || n || '@example.test' from generate_series(1, ${count}) n;
      insert into tickets (id, order_id, event_id, code, ordinal, price_cents, sold_at)
        select gen_random_uuid(), order_id, event_id, order_id::text, 1, price_cents, held_at from orders`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const asked: Array<[what: string, as: string, path: string]> = [
  ['firstPage', '1 admin', '/api/tickets/customers?limit=50'],
  ['paidPage', '1 admin', '/api/tickets/customers?status=paid'],
  ['ownPage', '7 business', '/api/tickets/customers?limit=50'],
  ['list', '1 admin', '/api/tickets/customers'],
  ['rareText', '1 admin', '/api/tickets/customers?q=buyer%2077777%20e'],
  ['commonText', '1 admin', '/api/tickets/customers?q=everywhere'],
];

export const bench: Bench = {
  about: `answers of GET /api/tickets/customers, and memory while its CSV file is read, over ${ORDERS.toLocaleString('en-US')} orders`,
  defaults: { rounds: 3, seconds: 1 },

  async run(options) {
    const { rounds, say, size = ORDERS } = options;
    const server = await startServer(options);
    const url = await server.database('ticketing');
    await migrate(url, [
      eventStoreMigrations,
      ...['inbox', 'leases'].map((name) => join(root, 'packages/kit/migrations', name)),
      join(root, 'services/ticketing/prisma/migrations'),
    ]);
    await fill(url, size);
    const ticketing = fork(join(import.meta.dirname, 'server.ts'), [url]);
    options.onEnd(() => ticketing.disconnect());
    const [port] = (await once(ticketing, 'message')) as [number];

    const p99: Record<string, number[]> = {};
    let exact = true;
    for (let round = 0; round <= rounds; round++)
      for (const [what, as, path] of asked) {
        const times = await timesOf(port, as, path);
        if (!times) exact = false;
        // The first round warms up.
        else if (round > 0) (p99[what] ??= []).push(percentile(times, 0.99));
      }
    const figures = Object.fromEntries(
      Object.entries(p99).map(([what, values]) => [`${what}P99Ms`, digits(median(values))]),
    );
    say(JSON.stringify(figures));
    const file = await readFile(port, ticketing.pid!, size, say);
    return { ...figures, ...file.figures, exact: exact && file.exact };
  },
};

/** How long each of so many answers took, one after the other, in milliseconds; undefined when one was no success. */
async function timesOf(port: number, as: string, path: string): Promise<number[] | undefined> {
  const connection = openConnection(port);
  try {
    const times: number[] = [];
    for (let n = 0; n < ASKED; n++) {
      const from = performance.now();
      const { status } = await connection.send(requestOf('GET', path, [`x-as: ${as}`]));
      if (status !== 200) return undefined;
      times.push(performance.now() - from);
    }
    return times;
  } finally {
    connection.close();
  }
}

/** Reads the whole file as it comes, and looks at the server's memory meanwhile: each order must be in it once. */
async function readFile(port: number, pid: number, size: number, say: Options['say']) {
  const before = memoryOf(pid).rssMb;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(pid).rssMb)), 50);
  const from = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/tickets/customers.csv`, {
      headers: { 'x-as': '1 admin' },
    });
    const buyers = new Set<string>();
    let lines = -1;
    let bytes = 0;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body!) {
      bytes += chunk.length;
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
      rest = parts.pop()!;
      lines += parts.length;
      for (const line of parts) buyers.add(/"(b\d+)@/.exec(line)?.[1] ?? '');
    }
    buyers.delete('');
    const seconds = (performance.now() - from) / 1_000;
    say(
      `${lines} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; ${before} MB before, ${peak} MB at most`,
    );
    return {
      figures: { csvSeconds: digits(seconds), csvMb: digits(bytes / 1e6), memoryBeforeMb: before, memoryPeakMb: peak },
      exact: lines === size && buyers.size === size && rest === '',
    };
  } finally {
    clearInterval(timer);
  }
}
