import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { SaveSearchBody, type SearchMatches } from '@beltway/contracts/saved-searches';
import { SearchQuery } from '@beltway/contracts/search';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { logger } from '@beltway/kit/logger';
import { migrate } from '@beltway/kit/migrate';
import { HttpProblem } from '@beltway/kit/problems';
import { searchMatches } from '../../services/catalog/src/saved-searches/matches.ts';
import { openSearchPool } from '../../services/catalog/src/search/pool.ts';
import { searchOnce } from '../../services/catalog/src/search/search.ts';
import { generatorOf } from '../search/events.ts';
import { fill } from '../search/fill.ts';
import type { Bench } from '../support/bench.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer } from '../support/database.ts';
import { digits, median } from '../support/statistics.ts';

const SEARCHES = 100_000;
const PER_ACCOUNT = 20;
const EVENTS = 20_000;
/** Searches that are compared with what a search finds. */
const COMPARED = 400;
const root = join(import.meta.dirname, '../..');

/** Asks for the same page again a second later, where the database took too long. */
async function later(error: unknown): Promise<null> {
  if (!(error instanceof HttpProblem) || error.status !== 503) throw error;
  await pause(1_000);
  return null;
}

export const bench: Bench = {
  about: `how long one new event takes to be matched with ${SEARCHES.toLocaleString('en-US')} saved searches, page by page`,
  defaults: { rounds: 3, seconds: 0 },

  async run(options) {
    const { rounds, say, size = SEARCHES } = options;
    const server = await startServer(options);
    const url = await server.database('catalog');
    await migrate(url, [
      eventStoreMigrations,
      ...['inbox', 'erasures'].map((name) => join(root, 'packages/kit/migrations', name)),
      join(root, 'services/catalog/prisma/migrations'),
    ]);
    const generator = generatorOf(1, new Date());
    await fill(url, generator, EVENTS, say);
    const pool = openSearchPool(url, logger('catalog', 'silent'));
    options.onEnd(() => pool.end());

    const kept: Array<Record<string, string>> = [];
    while (kept.length < size) {
      const {
        sort: _sort,
        limit: _limit,
        ...search
      } = Object.fromEntries(new URL(generator.search(), 'http://bench').searchParams);
      if (SaveSearchBody.safeParse({ name: 'Bench', search }).success) kept.push(search);
    }
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(
      `insert into saved_searches (user_id, name, search, digest, saved_at)
       select 1000 + (at - 1) / ${PER_ACCOUNT}, at::text, search, at::text, now() - interval '2 years'
       from unnest($1::jsonb[]) with ordinality s (search, at)`,
      [kept.map((search) => JSON.stringify(search))],
    );
    await client.query('analyze saved_searches');
    await client.end();

    const seconds: number[] = [];
    const cpu: number[] = [];
    let slowest = 0;
    let exact = true;
    let longestTurn = 0;
    const { rows: events } = await pool.query<{ id: number }>(
      `select event_id as id from event_search where starts_at > now() + interval '1 day' order by md5(event_id::text) limit $1`,
      [rounds],
    );
    for (let round = 1; round <= rounds; round++) {
      const event = events[round - 1]!.id;
      const delay = monitorEventLoopDelay({ resolution: 5 });
      const now = new Date();
      const [from, spent, ofDatabase] = [performance.now(), process.cpuUsage(), cpuSeconds(server.pid)];
      const names = new Set<string>();
      let pages = 0;
      let refusals = 0;
      delay.enable();
      for (let after: number | null = 0; after !== null;) {
        const began = performance.now();
        const page: SearchMatches | null = await searchMatches(pool, { event, after, now }).catch(later);
        if (!page) {
          refusals++;
          continue;
        }
        slowest = Math.max(slowest, performance.now() - began);
        for (const account of page.accounts) for (const name of account.names) names.add(name);
        after = page.next;
        pages++;
      }
      delay.disable();
      longestTurn = Math.max(longestTurn, delay.max / 1e6);
      seconds.push((performance.now() - from) / 1_000);
      const { user, system } = process.cpuUsage(spent);
      cpu.push((user + system) / 1e6);
      say(
        `round ${round}: ${names.size} of ${size} searches find it, ${pages} pages in ${seconds.at(-1)!.toFixed(1)} s, ${refusals} asked again, slowest ` +
          `${slowest.toFixed(0)} ms; ${cpu.at(-1)!.toFixed(1)} CPU seconds of the service, ` +
          `${(cpuSeconds(server.pid) - ofDatabase).toFixed(1)} of the database`,
      );
      for (let at = round - 1; at < size; at += Math.ceil(size / COMPARED)) {
        const found = await searchOnce({ pool }, SearchQuery.parse(kept[at]), now, {
          most: EVENTS,
          withCancelled: false,
        });
        const isFound = found.some(({ eventId }) => eventId === event);
        if (isFound === names.has(String(at + 1))) continue;
        exact = false;
        say(`NOT EXACT: ${JSON.stringify(kept[at])} ${isFound ? 'finds it and was not told' : 'does not find it'}`);
      }
    }
    return {
      seconds: digits(median(seconds)),
      cpuSeconds: digits(median(cpu)),
      slowestPageMs: digits(slowest),
      eventLoopMaxMs: digits(longestTurn),
      exact,
    };
  },
};
