import { join } from 'node:path';
import { Client } from 'pg';
import { openStore, streams } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { migrate } from '@beltway/kit/migrate';
import { openPool } from '@beltway/kit/postgres';
import { plansOf } from '@beltway/kit/testing-plans';
import { engagement } from '../../services/identity/src/engagement/decider.ts';
import type { EngagementCommand } from '../../services/identity/src/engagement/events.ts';
import { ENGAGEMENT_TABLES, projectEngagement } from '../../services/identity/src/engagement/projection.ts';
import { leaderboard } from '../../services/identity/src/engagement/queries.ts';
import { toMessages } from '../../services/identity/src/publish.ts';
import { rebuild } from '../../services/identity/src/rebuild.ts';
import type { Bench } from '../support/bench.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { startServer, type Server } from '../support/database.ts';
import { median } from '../support/statistics.ts';
import { uuidV7 } from '../support/uuid.ts';

const FACTS = 1_000_000;
const FACTS_EACH = 10;
/** People whose facts are stated at once. */
const AT_ONCE = 256;
const DAY_MS = 86_400_000;
const PLACES = ['Washington, DC', 'Rockville, MD', 'Arlington, VA', 'Silver Spring, MD', null];
const CATEGORIES = ['music', 'comedy', 'food', null];

const migrations = join(import.meta.dirname, '..', '..', 'services', 'identity', 'prisma', 'migrations');

/** What somebody did the nth time: nine events and a photo, over two years. Somebody's every fiftieth fact is taken back. */
function statements(person: number): EngagementCommand[] {
  const facts = Array.from({ length: FACTS_EACH }, (_, nth): EngagementCommand & { type: 'StateFact' } => {
    const kind = nth === 0 ? 'photo' : 'attended';
    const eventId = (person * 7 + nth * 131) % 20_000;
    return {
      ...{ type: 'StateFact', kind, subjectId: person * FACTS_EACH + nth },
      fact: {
        eventId,
        day: new Date(Date.UTC(2025, 0, 1) + ((eventId * 3) % 700) * DAY_MS).toISOString().slice(0, 10),
        category: kind === 'attended' ? CATEGORIES[eventId % CATEGORIES.length]! : null,
        place: kind === 'attended' ? PLACES[eventId % PLACES.length]! : null,
        basis: kind === 'attended' ? 'ticket-held' : null,
      },
    };
  });
  return [...facts, ...(person % 5 === 0 ? [{ ...facts[1]!, fact: null }] : [])];
}

/** States facts of so many people through the store; answers how many events that made. */
async function makeHistory(server: Server, people: number, onEnd: (work: () => unknown) => void): Promise<number> {
  const url = await server.database('identity');
  await migrate(url, [eventStoreMigrations, migrations]);
  // Making the history is not what is measured: it need not wait for the disk.
  const store = openStore({
    url: `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`,
    upcasts: {},
    toMessages,
  });
  onEnd(() => store.close());
  const { handle } = streams(store, { category: 'engagement', decider: engagement, projections: [projectEngagement] });
  let events = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let person = ++next; person <= people; person = ++next) {
        const decisions = await Promise.all(
          [
            ...statements(person),
            ...(person % 2 === 0 ? [{ type: 'ChooseVisibility', isVisible: true } as const] : []),
          ].map((command) => handle(person, command, { commandId: uuidV7() })),
        );
        for (const decided of decisions) events += decided.events.length;
      }
    }),
  );
  return events;
}

const PAGES = 21;
/** Who is seen has an account. */
const ACCOUNTS = `insert into users (id, email, credential_id, name, role, created_at)
  select user_id, user_id || '@example.test', gen_random_uuid(), 'Person ' || user_id, 'user', now() from engagement_profiles`;
const LAST = `select user_id as "userId" from leaderboard_scores where week = '0001-01-01' and place = '' and is_visible
  order by points, user_id desc limit 1`;

/** Milliseconds that PostgreSQL takes for the first page of the leaderboard and the place of whoever is the last there. */
async function leaderboardMs(url: string): Promise<number> {
  const pool = openPool(url);
  try {
    await pool.query(ACCOUNTS);
    await pool.query('vacuum analyze');
    const { rows } = await pool.query<{ userId: number }>(LAST);
    const times: number[] = [];
    for (let page = 0; page < PAGES; page++) {
      const { plans } = await plansOf(pool, (db) =>
        leaderboard(db, { period: 'all', limit: 20 }, rows[0]!.userId, new Date()),
      );
      times.push(plans.reduce((sum, { ms }) => sum + ms, 0));
    }
    return median(times);
  } finally {
    await pool.end();
  }
}

export const bench: Bench = {
  about:
    'points, badges and leaderboards of 1,000,000 facts dropped and rebuilt, by the code of `npm run rebuild`, and read',
  defaults: { rounds: 2, seconds: 0 },

  async run(options) {
    const { rounds, say, size = FACTS } = options;
    const server = await startServer(options);
    const from = performance.now();
    const people = Math.ceil(size / FACTS_EACH);
    const made = await makeHistory(server, people, options.onEnd);
    const took = (performance.now() - from) / 1_000;
    say(`${people * FACTS_EACH} facts of ${people} people, ${made} events through the store in ${took.toFixed(0)} s`);
    const client = new Client({ connectionString: server.url('identity') });
    await client.connect();
    options.onEnd(() => client.end());
    await client.query('vacuum analyze');

    let exact = true;
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      await server.checkpoint();
      const cpu = cpuSeconds(process.pid);
      const { events, tables, replayMs } = await rebuild(server.url('identity'));
      rates.push(events / (replayMs / 1_000));
      say(
        `round ${round}: ${events} events in ${(replayMs / 1_000).toFixed(1)} s, ${Math.round(rates.at(-1)!)}/s; ` +
          `with the digests before and after ${(cpuSeconds(process.pid) - cpu).toFixed(1)} CPU seconds`,
      );
      if (events !== made) exact = false;
      // Nobody says here whom they met: that table has no rows.
      const ours = tables.filter(({ table }) => ENGAGEMENT_TABLES.includes(table) && table !== 'connection_wishes');
      if (round === 1) say(ours.map(({ table, rows }) => `${table} ${rows} rows`).join(', '));
      for (const { table, before, after, rows } of ours) {
        if (before === after && before !== 'empty') continue;
        exact = false;
        say(`NOT EXACT: ${table} came out different, ${rows} rows`);
      }
    }
    const boardMs = await leaderboardMs(server.url('identity'));
    say(
      `the leaderboard of ${people} people, with the place of the last: ${boardMs.toFixed(1)} ms of the server (goal 50)`,
    );
    return { eventsPerSecond: Math.round(median(rates)), leaderboardMs: Number(boardMs.toFixed(1)), exact };
  },
};
