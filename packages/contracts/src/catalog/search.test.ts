import { describe, expect, test } from 'vitest';
import { SearchQuery, isSearch } from './search.ts';

/** The fields that are reported as wrong. */
const wrong = (query: object) => SearchQuery.safeParse(query).error?.issues.map(({ path }) => path.join('.')) ?? [];
const iso = (query: object) => {
  const { from, to } = SearchQuery.parse(query);
  return [from?.toISOString(), to?.toISOString()];
};

describe('an invalid parameter is named', () => {
  test.each([
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ q: ['jazz', 'blues'] }, 'q'],
    [{ q: 'a\0b' }, 'q'],
    [{ q: '\ud800' }, 'q'],
    [{ tags: 'two words' }, 'tags'],
    [{ tags: Array.from({ length: 11 }, (_, at) => `tag${at}`).join() }, 'tags'],
    [{ category: 'musik' }, 'category'],
    [{ category: 'music,__proto__' }, 'category'],
    [{ from: 'tomorrow' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '1999-12-31' }, 'from'],
    [{ from: '2026-12-05T25:00' }, 'from'],
    [{ to: '99999-01-01' }, 'to'],
    [{ from: '2026-12-05', to: '2026-12-04' }, 'to'],
    [{ maxPrice: '-1' }, 'maxPrice'],
    [{ maxPrice: '1e3' }, 'maxPrice'],
    [{ maxPrice: '12.345' }, 'maxPrice'],
    [{ free: 'yes' }, 'free'],
    [{ onSale: '0' }, 'onSale'],
    [{ near: 'x'.repeat(101) }, 'near'],
    [{ near: 'shaw-dc', radius: '0' }, 'radius'],
    [{ near: 'shaw-dc', radius: '1e9' }, 'radius'],
    [{ radius: '5' }, 'radius'],
    [{ sort: 'best' }, 'sort'],
    [{ sort: 'nearest' }, 'sort'],
    [{ limit: '1e9' }, 'limit'],
    [{ limit: '1000000000' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ cursor: 'x'.repeat(6_001) }, 'cursor'],
  ])('%j', (query, field) => expect(wrong(query)).toEqual([field]));
});

test.each([
  [{ from: '2026-12-05', to: '2026-12-05' }, ['2026-12-05T05:00:00.000Z', '2026-12-06T05:00:00.000Z']],
  [{ from: '2026-12-05T19:00' }, ['2026-12-06T00:00:00.000Z', undefined]],
  [{ from: '2026-07-05T19:00:30' }, ['2026-07-05T23:00:00.000Z', undefined]],
  [
    { from: '2026-12-05T19:00Z', to: '2026-12-05T19:00-05:00' },
    ['2026-12-05T19:00:00.000Z', '2026-12-06T00:00:00.000Z'],
  ],
])('times without a zone are in New York: %j', (query, times) => expect(iso(query)).toEqual(times));

test('an empty parameter counts as absent', () => {
  const names = [
    'q',
    'tags',
    'category',
    'from',
    'to',
    'maxPrice',
    'free',
    'near',
    'radius',
    'onSale',
    'sort',
    'cursor',
    'limit',
  ];
  const query = SearchQuery.parse(Object.fromEntries(names.map((name) => [name, ''])));
  expect(Object.values(query).filter((value) => value !== undefined)).toEqual([]);
});

test('reads tags with and without #, categories, prices', () => {
  expect(SearchQuery.parse({ tags: '#free, liveDJ,', category: 'music,arts,music', maxPrice: '12.5' })).toMatchObject({
    tags: ['#free', 'liveDJ'],
    category: ['music', 'arts'],
    maxPrice: 1250,
  });
});

test('a query with only unknown parameters is not a search', () => {
  expect(isSearch({})).toBe(false);
  expect(isSearch({ utm_source: 'mail' })).toBe(false);
  expect(isSearch({ q: '' })).toBe(true);
});
