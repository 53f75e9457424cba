import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { migrate } from '@beltway/kit/migrate';
import { serviceMigrations } from '../../scripts/launcher/migrations.ts';
import type { Bench, Options } from '../support/bench.ts';
import { openConnection, requestOf, type Connection } from '../support/connection.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { digits, median, ratioOf } from '../support/statistics.ts';
import { generatorOf, type Generator } from './events.ts';
import { fill } from './fill.ts';
import { openPeer } from './peer.ts';

const EVENTS = 100_000;
const PER_SECOND = 50;
/** Number of sequential searches per kind. */
const OF_A_KIND = 30;

export const bench: Bench = {
  about: `p99 of GET /api/events at ${PER_SECOND} different searches a second over ${EVENTS.toLocaleString('en-US')} events`,
  defaults: { rounds: 3, seconds: 30 },
  short: { size: 3_000 },

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
    const connection = openConnection(port);
    try {
      exact = (await everyPageOnce(connection, say)) && exact;
      const alone = await slowestKind(connection, generator, say);
      // The peer is called directly, and our service over HTTP.
      const peer = await openPeer(url);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let n = 0; n < OF_A_KIND * rounds; n++) {
        const path = generator.search('word');
        ours.push(await msOf(() => connection.send(requestOf('GET', path, []))));
        theirs.push(await msOf(() => peer.search(new URLSearchParams(path.slice(path.indexOf('?'))).get('q')!)));
      }
      await peer.close();
      return {
        ...{ p50Ms: digits(median(p50)), p99Ms: digits(median(p99)), p99OverP50: ratioOf(p99, p50) },
        ...{ slowestKindOverMedian: alone, overFullTextSearch: ratioOf(theirs, ours), exact },
      };
    } finally {
      connection.close();
    }
  },
};

/** Reads a search for a common word page by page to the end. Each event must appear once. */
async function everyPageOnce(connection: Connection, say: Options['say']): Promise<boolean> {
  const seen: number[] = [];
  for (let cursor = ''; ;) {
    const query = new URLSearchParams({ q: 'karaoke', limit: '100', ...(cursor && { cursor }) });
    const { status, body } = await connection.send(requestOf('GET', `/api/events?${query.toString()}`, []));
    if (status !== 200) return false;
    const page = JSON.parse(body.toString()) as { items: Array<{ id: number }>; nextCursor: string | null };
    seen.push(...page.items.map(({ id }) => id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const ok = seen.length > 0 && new Set(seen).size === seen.length;
  say(ok ? `${seen.length} events page by page, each once` : 'NOT EXACT: an event appeared twice, or is missing');
  return ok;
}

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/**
 * Runs the searches of each kind sequentially and prints the slowest kinds. Returns the slowest median divided by the
 * overall median.
 */
async function slowestKind(connection: Connection, { kinds, search }: Generator, say: Options['say']): Promise<number> {
  const all: number[] = [];
  const medians: Array<[kind: string, ms: number]> = [];
  for (const kind of kinds) {
    const took: number[] = [];
    for (let n = 0; n < OF_A_KIND; n++)
      took.push(await msOf(() => connection.send(requestOf('GET', search(kind), []))));
    all.push(...took);
    medians.push([kind, median(took)]);
  }
  const slowest = medians.toSorted(([, one], [, other]) => other - one);
  const named = slowest.slice(0, 5).map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`);
  say(`alone: median ${median(all).toFixed(1)} ms; slowest kinds: ${named.join(', ')}`);
  return digits(slowest[0]![1] / median(all));
}
