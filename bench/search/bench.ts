import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { migrate } from '@beltway/kit/migrate';
import { serviceMigrations } from '../../scripts/launcher/migrations.ts';
import type { Bench, Options } from '../support/bench.ts';
import { openConnection, requestOf } from '../support/connection.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { digits, median } from '../support/statistics.ts';
import { generatorOf } from './events.ts';
import { fill } from './fill.ts';

const EVENTS = 100_000;
const PER_SECOND = 50;

export const bench: Bench = {
  about: `p99 of GET /api/events at ${PER_SECOND} different searches a second over ${EVENTS.toLocaleString('en-US')} events`,
  defaults: { rounds: 3, seconds: 30 },

  async run(options) {
    const { rounds, seconds, say, size = EVENTS } = options;
    const server = await startServer(options);
    const url = await server.database('catalog');
    await migrate(url, serviceMigrations('catalog'));
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
