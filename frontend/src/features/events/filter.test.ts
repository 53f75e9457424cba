import { expect, test } from 'vitest';
import { feedOf } from './feed-filter.ts';
import { isFiltering, NO_FILTER, readFilter, searchOf } from './filter.ts';

const now = new Date('2026-12-01T17:00:00Z');
const said = (address: string, position: { lat: number; lon: number } | null = null) =>
  decodeURIComponent(searchOf(readFilter(new URLSearchParams(address)), position, now).toString());

test.each([
  ['', ''],
  ['q=jazz&tag=%23free', 'q=jazz&tags=#free'],
  ['line=orange', 'category=food'],
  ['line=yellow', 'category=family,community,other'],
  ['line=purple', ''],
  ['category=community', 'category=community,other'],
  ['when=tonight', 'from=2026-12-01T22:00:00.000Z&to=2026-12-02T10:00:00.000Z'],
  ['when=2026-12-24', 'from=2026-12-24T05:00:00.000Z&to=2026-12-25T05:00:00.000Z'],
  ['when=never', ''],
  ['free=1&maxPrice=20&onSale=1&sort=popular', 'maxPrice=20&free=1&onSale=1&sort=popular'],
  ['near=shaw-dc&radius=5&sort=nearest', 'near=shaw-dc&radius=5&sort=nearest'],
  ['near=me&radius=5&sort=nearest', ''],
  ['sort=nearest', ''],
  ['maxPrice=lots&free=yes&onSale=0&category=spam&line=purple&sort=best&tag=%23a!', ''],
  ['when=2026-02-30', ''],
  ['near=shaw-dc&radius=-1', 'near=shaw-dc'],
  ['near=shaw-dc&radius=1e9', 'near=shaw-dc'],
  [`near=${'x'.repeat(101)}&radius=5`, ''],
  ['q=go%00go', 'q=gogo'],
  [`q=${'a'.repeat(300)}`, `q=${'a'.repeat(200)}`],
  ['tag=%23free,%23jazz', 'tags=#free,#jazz'],
])('the address %j requests %j', (address, asked) => expect(said(address)).toBe(asked));

test('the device’s position is sent only as precisely as a search in miles needs', () =>
  expect(said('near=me&radius=5', { lat: 38.912345, lon: -77.045678 })).toBe('near=38.91,-77.05&radius=5'));

test('values that the API would refuse are not sent, and do not narrow the search', () => {
  const nonsense = 'maxPrice=-1&free=2&onSale=x&category=,&line=7&tag=%20%26&when=soon&radius=5';
  expect(readFilter(new URLSearchParams(nonsense))).toEqual({ ...NO_FILTER, radius: '5' });
});

test('a half-typed year stays in the date field, and is not sent', () => {
  expect(readFilter(new URLSearchParams('when=0002-11-28')).when).toBe('0002-11-28');
  expect(said('when=0002-11-28')).toBe('');
});

test('a sort order excludes nothing', () => {
  expect(isFiltering(NO_FILTER)).toBe(false);
  expect(isFiltering({ ...NO_FILTER, sort: 'newest', q: '  ' })).toBe(false);
  expect(isFiltering({ ...NO_FILTER, when: 'tonight' })).toBe(true);
});

test.each([
  ['', ''],
  ['q=jazz&tag=%23free&sort=popular', 'q=jazz&tags=#free'],
  ['q="open mic&when=weekend', 'q=this+weekend+"open+mic'],
  ['when=tonight&free=1', 'q=tonight&free=1'],
  ['q=jazz+tomorrow&when=tonight', 'q=jazz+tomorrow&from=2026-12-01T22:00:00.000Z&to=2026-12-02T10:00:00.000Z'],
  ['when=2026-12-24', 'from=2026-12-24T05:00:00.000Z&to=2026-12-25T05:00:00.000Z'],
  ['near=shaw-dc&radius=5&sort=nearest', 'near=shaw-dc&radius=5'],
  ['near=me&radius=5&sort=nearest&category=music', 'category=music'],
])('the address %j is subscribed to as %j', (address, feed) =>
  expect(decodeURIComponent(feedOf(readFilter(new URLSearchParams(address)), now).toString())).toBe(feed),
);

test('a search of the maximum length keeps its dates, so that the feed is not refused', () => {
  const q = 'x'.repeat(200);
  const feed = feedOf({ ...NO_FILTER, q, when: 'tonight' }, now);
  expect([feed.get('q'), feed.has('from')]).toEqual([q, true]);
});
