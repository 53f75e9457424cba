import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuestionsQuery, SocialPostsQuery } from '@beltway/contracts/community';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { boardStatement, rareMatches } from '../src/community/board-queries.ts';
import { statementOf } from '../src/community/post-queries.ts';

// Feeds and a board of 100,000 people: each page reads about as many rows as it shows.

const PEOPLE = 100_000;
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase([
    eventStoreMigrations,
    ...['inbox', 'leases', 'erasures'].map((name) => folder(`../../../packages/kit/migrations/${name}`)),
    folder('../prisma/migrations'),
  ]);
  pool = openPool(database.url, { statement_timeout: 0, query_timeout: 0 });
  // Each wrote one post and one question, one of a hundred is hidden; half of all are about Washington, and each blocked somebody.
  await pool.query(`
    insert into community_people (user_id, name, registered_at) select id, 'Person ' || id, now() from generate_series(1, ${PEOPLE}) id;
    insert into community_blocks (user_id, blocked_id, created_at)
    select id, id % ${PEOPLE} + 1, now() from generate_series(1, ${PEOPLE}) id;
    insert into social_posts (user_id, event_id, content, type, place_id, town_id, created_at, hidden_at)
    select (id * 7919) % ${PEOPLE} + 1, id % 500, 'Post ' || id, 'text', case id % 2 when 0 then 'the-anthem-dc-venue' else 'bethesda-md' end,
      case id % 2 when 0 then 'washington-dc' else 'bethesda-md' end, now(), case when id % 100 = 0 then now() end
    from generate_series(1, ${PEOPLE}) id;
    insert into message_board (user_id, question, category, place_id, town_id, event_id, accepted_answer_id, is_pinned, created_at)
    select id, 'Where is everybody? ' || case when id % 10000 = 0 then 'Unicorns' else 'Parking ' || id % 50 end,
      (array['general', 'tickets', 'venues', 'food'])[id % 4 + 1], case id % 2 when 0 then 'the-anthem-dc-venue' else 'bethesda-md' end,
      case id % 2 when 0 then 'washington-dc' else 'bethesda-md' end, case when id % 3 = 0 then id % 500 end,
      case when id % 100 <> 0 then 1 end, id % 1000 = 0, now()
    from generate_series(1, ${PEOPLE}) id;
    analyze`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
/** Rows that were read of any table, and how long it took. */
async function explained({ text, values }: { text: string; values: unknown[] }) {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]!['QUERY PLAN'];
  const nodes = nodesOf(plan);
  const read = nodes
    .filter(({ 'Relation Name': relation }) => relation !== undefined)
    .reduce(
      (sum, node) =>
        sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    );
  return { read, ms, types: nodes.map((node) => node['Node Type']) };
}

const reader = { id: 4_711, email: 'a@b.test', name: 'Ann', role: 'user' as const, sessionId: 'x' };
const followed = Array.from({ length: 1_000 }, (_, n) => n * 97 + 1);

test.each<[string, Record<string, string>, number[] | undefined, number]>([
  ['all', {}, undefined, 200],
  ['all, deep down', { cursor: '5000' }, undefined, 200],
  ['a town', { place: 'Washington, DC' }, undefined, 200],
  ['a place', { place: 'Bethesda, MD', cursor: '60000' }, undefined, 200],
  ['an author', { author: '4242' }, undefined, 50],
  ['an event', { eventId: '77' }, undefined, 200],
  ['a thousand organisers that one follows', {}, followed, 3_000],
])('the feed of %s reads little and takes less than 50 ms', async (_name, query, authors, most) => {
  const statement = statementOf(reader, { query: SocialPostsQuery.parse(query), authors });
  const first = await explained(statement);
  expect(first.types).not.toContain('Seq Scan');
  expect(first.read).toBeLessThan(most);
  // The best of some: other tests run beside this one.
  const times = [first.ms];
  for (let n = 0; n < 4; n++) times.push((await explained(statement)).ms);
  expect(Math.min(...times)).toBeLessThan(50);
});

test.each<[string, Record<string, string>, number]>([
  ['all', {}, 200],
  ['all, deep down', { cursor: '0-5000' }, 200],
  ['a category', { category: 'food' }, 200],
  ['a town', { location: 'Washington, DC' }, 300],
  ['a place', { location: 'bethesda-md', cursor: '0-60000' }, 300],
  ['an event', { eventId: '42' }, 200],
  ['what is not answered yet', { answered: 'false' }, 300],
  ['what is not answered yet, of a category', { answered: 'false', category: 'general' }, 300],
  ['a rare word', { q: 'unicorn' }, 200],
  ['a word that is in every fiftieth', { q: 'parking 7' }, 8_000],
  ['a word that is everywhere', { q: 'everybody' }, 500],
])('the board of %s reads little and takes less than 50 ms', async (_name, query, most) => {
  const parsed = QuestionsQuery.parse(query);
  const isRare = query['q'] === 'unicorn';
  const words = rareMatches(parsed.q ?? '');
  const found = isRare ? (await pool.query<{ id: number }>(words)).rows.map(({ id }) => id) : undefined;
  const statement = boardStatement(reader, parsed, found);
  const first = await explained(statement);
  expect(first.types).not.toContain('Seq Scan');
  expect(first.read).toBeLessThan(most);
  const times = [first.ms];
  for (let n = 0; n < 4; n++)
    times.push((parsed.q ? (await explained(words)).ms : 0) + (await explained(statement)).ms);
  expect(Math.min(...times.slice(1))).toBeLessThan(50);
});
