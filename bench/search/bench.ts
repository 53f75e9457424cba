import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { migrate } from '@beltway/kit/migrate';
import { rebuild } from '../../services/catalog/src/rebuild.ts';
import type { Bench, Options } from '../support/bench.ts';
import { openConnection, requestOf } from '../support/connection.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { digits, median } from '../support/statistics.ts';
import { generatorOf, type Generator } from './events.ts';

const EVENTS = 100_000;
const PER_SECOND = 50;
const BATCH = 1_000;
const root = join(import.meta.dirname, '../..');

/** Fills the catalog's log with events as they would have been published, its stock, and by `npm run rebuild`'s code all the rest. */
async function fill(url: string, { details }: Generator, count: number, say: Options['say']): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    for (let from = 1; from <= count; from += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, at) => from + at);
      await client.query(
        `insert into events (stream, version, type, data, correlation_id, causation_id, occurred_at)
         select 'event-' || id, 1, 'EventPublished', data::json, 'bench', 'bench', now() - interval '1 minute' * (${count} - id)
         from unnest($1::int[], $2::text[]) e (id, data)`,
        [ids, ids.map(() => JSON.stringify({ ownerId: 1, details: details() }))],
      );
    }
    await client.query(
      `insert into stock select id, floor(pow(random(), 4) * 300)::int, 0, 1 from generate_series(1, ${count}) id where random() < 0.4`,
    );
    const from = performance.now();
    await rebuild(url);
    const took = (performance.now() - from) / 1_000;
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ words: string; size: string }>(
      `select (select count(*) from search_words) as words, pg_size_pretty(pg_total_relation_size('event_search')) as size`,
    );
    say(`${count} events indexed in ${took.toFixed(0)} s: ${rows[0]!.words} words, ${rows[0]!.size}`);
  } finally {
    await client.end();
  }
}

export const bench: Bench = {
  about: `p99 of GET /api/events at ${PER_SECOND} different searches a second over ${EVENTS.toLocaleString('en-US')} events`,
  defaults: { rounds: 3, seconds: 30 },

  async run(options) {
    const { rounds, seconds, say, size = EVENTS } = options;
    const server = await startServer(options);
    const url = await server.database('catalog');
    await migrate(url, [
      eventStoreMigrations,
      join(root, 'packages/kit/migrations/inbox'),
      join(root, 'services/catalog/prisma/migrations'),
    ]);
    const generator = generatorOf(1, new Date());
    await fill(url, generator, size, say);

    const catalog = fork(join(import.meta.dirname, 'server.ts'), [url]);
    options.onEnd(() => catalog.disconnect());
    const [port] = (await once(catalog, 'message')) as [number];

    const next = () => requestOf('GET', generator.search(), []);
    await pacedLoad({ port, perSecond: PER_SECOND, seconds: 5, connections: 16, next });
    const p50: number[] = [];
    const p99: number[] = [];
    let exact = true;
    for (let round = 1; round <= rounds; round++) {
      await server.checkpoint();
      const cpu = cpuSeconds(catalog.pid!);
      const figures = await pacedLoad({ port, perSecond: PER_SECOND, seconds, connections: 16, next });
      p50.push(figures.p50Ms);
      p99.push(figures.p99Ms);
      if (Object.keys(figures.statuses).join() !== '200') exact = false;
      say(
        `round ${round}: p50 ${figures.p50Ms.toFixed(1)} ms, p99 ${figures.p99Ms.toFixed(1)} ms, ${JSON.stringify(figures.statuses)}, ` +
          `${(cpuSeconds(catalog.pid!) - cpu).toFixed(1)} CPU seconds of the catalog`,
      );
    }
    exact = (await everyPageOnce(port, say)) && exact;
    return { p50Ms: digits(median(p50)), p99Ms: digits(median(p99)), exact };
  },
};

/** A common word, page by page to the end: each event once. */
async function everyPageOnce(port: number, say: Options['say']): Promise<boolean> {
  const connection = openConnection(port);
  const seen: number[] = [];
  try {
    for (let cursor = ''; ;) {
      const query = new URLSearchParams({ q: 'karaoke', limit: '100', ...(cursor && { cursor }) });
      const { status, body } = await connection.send(requestOf('GET', `/api/events?${query.toString()}`, []));
      if (status !== 200) return false;
      const page = JSON.parse(body.toString()) as { items: Array<{ id: number }>; nextCursor: string | null };
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
  } finally {
    connection.close();
  }
  const ok = seen.length > 0 && new Set(seen).size === seen.length;
  say(ok ? `${seen.length} events page by page, each once` : 'NOT EXACT: an event came twice, or none at all');
  return ok;
}
