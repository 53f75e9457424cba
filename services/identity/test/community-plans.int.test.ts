import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChallengesQuery } from '@beltway/contracts/identity/challenges';
import { ConnectionsQuery, PeopleMetQuery, type ConnectionState } from '@beltway/contracts/identity/connections';
import { ModerationQuery } from '@beltway/contracts/identity/moderation';
import { LeaderboardQuery, PointsQuery } from '@beltway/contracts/identity/points';
import { ReferralsQuery } from '@beltway/contracts/identity/referrals';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { cursorOf } from '@beltway/kit/cursor';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { BY_INDEX, fillTables, plansOf } from '@beltway/kit/testing-plans';
import { challengePage } from '../src/engagement/challenge/queries.ts';
import { connectionsOf, peopleMet, type Reader } from '../src/engagement/connection/queries.ts';
import { leaderboard, pointsPage } from '../src/engagement/queries.ts';
import { flaggedReferrals, referralsPage } from '../src/engagement/referral/queries.ts';
import { moderationPage, ownCases } from '../src/moderation/queries.ts';

// Each page of a list over 100,000 accounts must read about as many rows as it shows.

const PEOPLE = 100_000;
/** An account with more attended events, photos, referrals and texts than almost all other accounts. */
const READER = 4_710;
/** A visible account with the fewest points. The account attended an event that no other visible account attended. */
const LAST = 7;
const NOW = new Date('2026-11-25T17:00:00.000Z');
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase([
    eventStoreMigrations,
    ...['jobs', 'requests'].map((name) => folder(`../../../packages/kit/migrations/${name}`)),
    folder('../prisma/migrations'),
  ]);
  pool = openPool(database.url, { options: BY_INDEX, statement_timeout: 0, query_timeout: 0 });
  // Half of all accounts are visible. Events 0 to 499 have 200 people each, and event 500 every tenth person. The
  // reader attended 61 events and shared 2,000 photos. The reader requested 2,000 connections, half of which are
  // mutual. A further 2,000 accounts request a connection with the reader.
  await fillTables(
    pool,
    `
    insert into users (id, email, credential_id, name, role, created_at)
    select id, id || '@example.test', gen_random_uuid(), 'Person ' || id, 'user', now() from generate_series(1, ${PEOPLE}) id;
    insert into engagement_profiles (user_id, is_visible, points)
    select id, id % 4 < 2, id % 5000 + 1 from generate_series(1, ${PEOPLE}) id;
    insert into leaderboard_scores (user_id, week, place, points, is_visible)
    select id, '0001-01-01', '', case id when ${LAST} then 1 else id % 5000 + 2 end, true from generate_series(1, ${PEOPLE}) id;
    insert into engagement_events (event_id, title, ends_at, day, status, version)
    select id, 'Event ' || id, '2026-01-01'::timestamptz + id * interval '1 hour', '2026-01-01'::date + id / 24, 'published', 1
    from generate_series(0, 500) id;
    insert into counted_facts (user_id, kind, subject_id, event_id, day, week, points, counted_at)
    select user_id, 'attended', event_id, event_id, '2026-01-01'::date + event_id / 24, '2025-12-28'::date + event_id / 168 * 7, 20,
      '2026-01-01'::timestamptz + event_id * interval '1 hour'
    from (
      select id as user_id, id % 500 as event_id from generate_series(1, ${PEOPLE}) id
      union select id * 10, 500 from generate_series(1, ${PEOPLE / 10}) id
      union select ${READER}, id * 8 from generate_series(0, 59) id) attended;
    insert into counted_facts (user_id, kind, subject_id, event_id, day, week, points, counted_at)
    select ${READER}, 'photo', id, id % 60 * 8, '2026-11-01'::date - id % 300, '2026-11-01'::date - id % 40 * 7, 5,
      '2026-11-01'::timestamptz - id * interval '1 hour' from generate_series(1, 2000) id;
    insert into taken_back_facts (user_id, kind, subject_id, event_id, day, points, counted_at, taken_back_at)
    select user_id, 'photo', 3000 + id, id % 60 * 8, '2026-11-01'::date - id % 300, 5, '2026-11-01'::timestamptz - id * interval '90 minutes', now()
    from (values (${READER}), (${LAST})) someone (user_id), generate_series(1, 2000) id;

    insert into connection_wishes (user_id, other_id, wants, said_at)
    select id, id * 13 % ${PEOPLE} + 1, true, now() from generate_series(1, ${PEOPLE}) id where id <> ${READER};
    insert into connection_wishes (user_id, other_id, wants, said_at)
    select ${READER}, id * 10, id % 7 > 0, '2026-11-01'::timestamptz - id * interval '1 minute' from generate_series(1000, 2999) id;
    insert into connection_wishes (user_id, other_id, wants, said_at)
    select id * 10, ${READER}, id % 11 > 0, '2026-11-01'::timestamptz - id * interval '59 seconds' from generate_series(2000, 4999) id;

    insert into referrals (referred_id, referrer_id, joined_at)
    select id, case when id % 50 = 0 then ${READER} else id % 100 + 1 end, now() - id * interval '1 minute'
    from generate_series(1, ${PEOPLE}) id where id <> ${READER};
    insert into counted_facts (user_id, kind, subject_id, event_id, day, week, points, counted_at)
    select ${READER}, 'referral', id * 50, null, '2026-10-01'::date - id, '2026-10-04'::date - id / 7 * 7, 50, now()
    from generate_series(1, 90) id;
    insert into referral_hints (referred_id, referrer_id, same_network, same_device, noted_at)
    select referred_id, referrer_id, true, false, joined_at from referrals where referred_id % 5 = 0;

    insert into challenges (id, number, week, type, place, reward, max_progress, places, expires_at, created_at)
    select 'c' || id, id, '2026-11-22'::date - (1000 - id) / 5 * 7, 'two-events', null, 50, 2, case id % 2 when 0 then 20 end, now(), now()
    from generate_series(1, 1000) id;
    insert into challenge_standings (challenge_id, user_id, met_at, has_place)
    select 'c' || id, n * 10, now(), n <= 20 from generate_series(2, 1000, 2) id, generate_series(1, 60) n;

    insert into moderation_cases (case_id, kind, content_id, author_id, state, standing, open_reports, decisions, changed_at)
    select 'post-' || id, case when id % 500 = 0 then 'video' else 'post' end, id::text,
      case when id % 50 = 0 then ${READER} else id % 10000 + 1 end, case when id % 4 = 0 then 'open' else 'acted' end, 'shown', 1,
      case when id % 4 = 0 then 0 else 1 end, now() - id * interval '1 second' from generate_series(1, ${PEOPLE / 2}) id;
    insert into moderation_reports (case_id, reporter_id, reason, at)
    select 'post-' || id, id, 'spam', now() from generate_series(1, ${PEOPLE / 2}) id
    union all select 'post-4', id + ${PEOPLE}, 'spam', now() - id * interval '1 second' from generate_series(1, 5000) id;
    insert into moderation_decisions (case_id, number, action, reason, admin_id, at)
    select case_id, 1, 'warn', 'spam', 1, changed_at from moderation_cases where decisions > 0;
    insert into moderation_texts (case_id, author_id, excerpt, path) select case_id, author_id, 'Words', '/' from moderation_cases`,
  );
}, 150_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const nobodyBlocked = async () => new Set<number>();
const readerOf = (db: Pool, userId = READER): Reader => ({ pool: db, blocked: nobodyBlocked, userId, now: NOW });
interface Page {
  items: unknown[];
  nextCursor: string | null;
}
type List = (db: Pool, query: { cursor?: string }) => Promise<Page>;
const met =
  (userId: number): List =>
  (db, query) =>
    peopleMet(readerOf(db, userId), PeopleMetQuery.parse(query));
const connections =
  (state?: string): List =>
  (db, query) =>
    connectionsOf(readerOf(db), ConnectionsQuery.parse({ ...query, ...(state && { state }) }));
const leaders =
  (userId?: number): List =>
  (db, query) =>
    leaderboard(db, LeaderboardQuery.parse({ ...query, period: 'all' }), userId, NOW);
const queue =
  (filter: object): List =>
  (db, query) =>
    moderationPage(db, ModerationQuery.parse({ ...query, ...filter }));

/**
 * `most`: how many rows one page may read. `sorted`: how many rows it may sort, among the reader's own rows and the
 * rows shown.
 */
const lists: Array<[what: string, list: List, most: number, sorted: number]> = [
  // For each of 61 events, reads a page of visible people. Half of all people are visible.
  ['people met of somebody who attended much', met(READER), 61 * 21 * 8, 61 * 21],
  ['people met of somebody who met nobody that is seen', met(LAST), 200 * 8, 0],
  ['connections and what was asked', connections(), 1_000, 61],
  // Also reads connections in other states.
  ['connections', connections('connected'), 12_000, 61],
  ['people whom one asked', connections('asked'), 2_000, 61],
  ['people who ask', connections('asks-you'), 12_000, 61],
  ['challenges', (db, query) => challengePage(db, ChallengesQuery.parse(query), READER, NOW), 1_000, 50],
  ['referrals', (db, query) => referralsPage(db, READER, ReferralsQuery.parse(query), NOW), 250, 0],
  ['referrals with hints', (db, query) => flaggedReferrals(db, ReferralsQuery.parse(query)), 250, 0],
  [
    // Reads one page of counted points and one page of withdrawn points.
    'points and their reasons',
    (db, query) => pointsPage(db, READER, PointsQuery.parse(query), nobodyBlocked),
    ...([250, 2 * 21] as const),
  ],
  ['open reports', queue({ state: 'open' }), 200, 50],
  ['open reports of a rare kind', queue({ state: 'open', kind: 'video' }), 200, 50],
  [
    'decisions about one’s own',
    (db, { cursor }) => ownCases(db, READER, { cursor, limit: 20, now: NOW }),
    ...([200, 50] as const),
  ],
  ['leaders', leaders(), 150, 0],
  // Counts all accounts with more points, in index order.
  ['leaders, for the last of them', leaders(LAST), PEOPLE + 150, 0],
];

test.each(lists)('the first and later pages of %s read few rows of their tables', async (what, list, most, sorted) => {
  let cursor: string | null = null;
  for (const name of ['first', 'second', 'third']) {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const { answer, plans } = await plansOf(pool, (db) => list(db, query));
    expect(answer.items, name).toHaveLength(what.includes('nobody') ? 0 : 20);
    for (const plan of plans) {
      expect(plan.scanned, `${name}: ${plan.text}`).toEqual([]);
      expect(plan.sorted, `${name}: ${plan.text}`).toBeLessThanOrEqual(sorted);
    }
    const read = plans.reduce((sum, plan) => sum + plan.read, 0);
    expect(read, `rows read for the ${name} page`).toBeLessThanOrEqual(most);
    if (what.includes('nobody')) break;
    expect(answer.nextCursor, name).not.toBeNull();
    cursor = answer.nextCursor;
  }
});

test('a later page of a leaderboard begins reading at its own points', async () => {
  const { answer, plans } = await plansOf(pool, (db) => leaders()(db, { cursor: cursorOf([2_500, 50, 50_000]) }));
  expect(answer.items).toHaveLength(20);
  expect(plans.map(({ scanned, sorted }) => [scanned, sorted])).toEqual([[[], 0]]);
  expect(plans[0]!.read).toBeLessThan(150);
});

/** The reference query for `connectionsOf`, written as simply as possible. */
const SAID = `with said as (
    select coalesce(m.other_id, t.user_id) as id, coalesce(m.wants, false) as mine, coalesce(t.wants, false) as theirs,
      m.said_at as mine_at, t.said_at as theirs_at
    from (select * from connection_wishes where user_id = $1) m
    full join (select * from connection_wishes where other_id = $1) t on t.user_id = m.other_id)
  select id, case when mine and theirs then 'connected' when mine then 'asked' else 'asks-you' end as state
  from said join engagement_profiles p on p.user_id = id
  where (mine or theirs and (mine_at is null or mine_at < theirs_at)) and (theirs or p.is_visible)
    and exists (select from counted_facts f join counted_facts g using (kind, subject_id)
      where kind = 'attended' and f.user_id = $1 and g.user_id = id)
  order by greatest(case when mine then mine_at end, case when theirs then theirs_at end) desc, id desc`;

test.each<[ConnectionState | undefined]>([[undefined], ['connected'], ['asked'], ['asks-you']])(
  'the pages of connections (%s) list each connection or request once, the latest first',
  async (state) => {
    const { rows } = await pool.query<{ id: number; state: ConnectionState }>(SAID, [READER]);
    const wanted = rows.filter((row) => state === undefined || row.state === state);
    expect(wanted.length).toBeGreaterThan(200);
    const listed: Array<{ id: number; state: ConnectionState }> = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const query = ConnectionsQuery.parse({ limit: 100, state, cursor });
      const page = await connectionsOf(readerOf(pool), query);
      listed.push(...page.items.map(({ userId, state }) => ({ id: userId, state })));
      cursor = page.nextCursor;
    }
    expect(listed).toEqual(wanted);
  },
);
