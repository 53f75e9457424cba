import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SearchQuery } from '@beltway/contracts/catalog/search';
import { readSearchText } from '@beltway/contracts/catalog/search-text';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { BY_INDEX, fillTables } from '@beltway/kit/testing-plans';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import type { Pool } from 'pg';
import { fileURLToPath } from 'node:url';
import { statementOf, wordsToRead } from '../src/search/search.ts';
import { readWords } from '../src/search/vocabulary.ts';

const ROWS = 20_000;
const now = new Date('2026-12-01T12:00:00Z');
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase([
    eventStoreMigrations,
    folder('../../../packages/kit/migrations/inbox'),
    folder('../../../packages/kit/migrations/jobs'),
    folder('../../../packages/kit/migrations/erasures'),
    folder('../../../packages/kit/migrations/requests'),
    folder('../prisma/migrations'),
  ]);
  // The planner is not restricted: it may read a table in full if that is cheapest.
  pool = openPool(database.url, { statement_timeout: 0, query_timeout: 0 });
  // Each event has its own word, one of 50 words that every fiftieth event shares, and a word that all events share.
  // Apart from the first word, documents repeat after 3,000 events, so only 3,000 are generated (`offset 0` prevents
  // one per event) and then numbered.
  await fillTables(
    pool,
    `
    insert into listings (event_id, organizer_id, status, title, description, location, tags, event_date, event_start_time, contact_email,
      has_tickets, ticket_sales_enabled, created_at, version)
    select id, 1, 'published', 'Event ' || id, repeat('words ', 100), 'Somewhere', '{}', now(), '19:00', 'a@b.test', false, false, now(), 1
    from generate_series(1, ${ROWS}) id;
    insert into event_search (event_id, starts_at, ends_at, created_at, price_cents, capacity, popularity, position, document,
      event_version, index_version)
    select id, '2026-12-01'::timestamptz + id * interval '7 minutes', '2026-12-01'::timestamptz + id * interval '7 minutes' + interval '3 hours',
      '2026-11-01'::timestamptz + id * interval '1 minute', (id % 60) * 100, case when id % 2 = 0 then 100 end, id % 30,
      point((id * 37) % 80 - 40, (id * 53) % 80 - 40),
      replace(document, '§', id::text)::tsvector, 1, 1
    from generate_series(1, ${ROWS}) id join (
      select n, search_document(array['everywhere', 'rare§', 'name' || n % 50], array['tag' || n % 40], array['place' || n % 300],
        array['text' || n % 1000], array['#tag' || n % 40, '@music'])::text as document
      from generate_series(0, 2999) n offset 0) texts on n = id % 3000;
    insert into event_counts (event_id, likes) select id, id % 100 from generate_series(1, ${ROWS}) id;
    insert into search_words (word, lexeme) select word, search_lexeme(word)
    from (select distinct unnest(array['everywhere', 'rare' || id, 'name' || id % 50, 'tag' || id % 40, 'place' || id % 300]) as word
      from generate_series(1, ${ROWS}) id) words`,
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  Plans?: Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

async function planOf(text: string, values: unknown[], by = pool): Promise<Plan[]> {
  const { rows } = await by.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${text}`, values);
  return nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
}

describe('plans of the largest searches', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a rare word', { q: 'rare7777 ' }],
    ['a common word', { q: 'name7 ' }],
    ['a word that is everywhere', { q: 'everywhere ' }],
    ['a beginning', { q: 'nam' }],
    ['two words', { q: 'name27 text77' }],
    ['a tag', { tags: 'tag7' }],
    ['a tag and a category', { tags: 'tag7', category: 'music' }],
    ['the newest', { sort: 'newest' }],
    ['the most popular', { sort: 'popular' }],
    ['the nearest', { near: '38.9,-77.0', sort: 'nearest', radius: '5' }],
    ['a part of the map', { within: '-77.1,38.8,-76.9,39', sort: 'soonest' }],
    ['days', { from: '2026-12-20', to: '2026-12-21' }],
    ['a price', { maxPrice: '2' }],
    ['on sale', { onSale: '1' }],
    ['a date word', { q: 'events dec 20' }],
    ['a date word and a price word', { q: 'dec 20 under $2' }],
    ['a date word, a price word and a word', { q: 'name7 this week under $50' }],
  ])('%s', async (_what, given) => {
    const query = SearchQuery.parse(given);
    const said = readSearchText(given['q'] ?? '', now);
    const groups = (await readWords(pool, wordsToRead(query, said)))!;
    expect(groups).not.toBeNull();
    const near = query.near === undefined ? undefined : { lat: 38.9, lon: -77 };
    const { text, values } = statementOf({ query, said, near, groups, now }, null, 25);
    const nodes = await planOf(text, values);
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
    // The stock table is empty here, so reading it in full costs nothing.
    expect(whole.filter((name) => name !== 'stock')).toEqual([]);
    expect(nodes[0]!['Actual Rows']).toBeGreaterThan(0);
  });
});

test('a misspelled word is corrected with the indexes of the known words', async () => {
  // Plans with indexes, as the service does: 20,000 events have so few words that PostgreSQL would otherwise read them
  // all.
  const asking = openPool(database.url, { options: BY_INDEX });
  const asked: Array<{ text: string; values: unknown[] }> = [];
  const listening = {
    query: (text: string, values: unknown[]) => {
      asked.push({ text, values });
      return asking.query(text, values);
    },
  };
  await readWords(listening as unknown as Pool, 'everywere raer7777 placee7 nowhereatall');
  expect(asked.length).toBeGreaterThan(4);
  for (const { text, values } of asked) {
    const nodes = await planOf(text, values, asking);
    expect(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
      text,
    ).toEqual([]);
  }
  await asking.end();
});

test('events of several days that began earlier are read with their own index', async () => {
  await pool.query(
    `update event_search set several_days = true, starts_at = starts_at - interval '20 days' where event_id % 500 = 0`,
  );
  await pool.query('analyze event_search');
  for (const given of [
    {},
    { q: 'name7 ' },
    { tags: 'tag7', sort: 'soonest' as const },
    { from: '2026-12-20', to: '2026-12-21' },
  ]) {
    const query = SearchQuery.parse(given);
    const groups = (await readWords(pool, query.q ?? ''))!;
    const { text, values } = statementOf(
      { query, said: readSearchText('', now), near: undefined, groups, now },
      null,
      25,
    );
    const nodes = await planOf(text, values);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])).not.toContain(
      'event_search',
    );
    expect(nodes.map((node) => node['Index Name'])).toContain('event_search_several_days');
  }
});
