import { expect, test } from 'vitest';
import { codingFor, preconditions } from './negotiation.ts';
import { representations } from './representations.ts';

const json = [['content-type', 'application/json; charset=utf-8']] as const;
const long = representations(json, Buffer.from(JSON.stringify('far '.repeat(1_000))));
const short = representations(json, Buffer.from('[]'));

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['X-GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.1, gzip;q=1', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=nonsense', 'identity'],
  ['identity', 'identity'],
  ['deflate', 'identity'],
  [`gzip${', x'.repeat(5_000)}`, 'gzip'],
])('Accept-Encoding %s gets the coding %s', (header, coding) => {
  const headers = header === undefined ? {} : { 'accept-encoding': header };
  expect(codingFor(headers, long)).toBe(coding);
  expect(codingFor(headers, short)).toBe('identity');
});

test('each coding of a version has a different strong ETag, and each version has different ETags', () => {
  const tags = long.codings.map(long.etagOf);
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}(-br|-gzip)?"$/);
  expect(short.digest).not.toBe(long.digest);
  expect(representations([['x-a', 'b']], Buffer.from('[]')).digest).not.toBe(short.digest);
});

const own = long.etagOf('br');
const other = '"other"';
test.each([
  [{}, undefined],
  [{ 'if-none-match': own }, { unchanged: 'br' }],
  [{ 'if-none-match': `W/${own}` }, { unchanged: 'br' }],
  [{ 'if-none-match': `${other}, W/"x" , ${long.etagOf('gzip')}` }, { unchanged: 'gzip' }],
  [{ 'if-none-match': '*' }, { unchanged: 'br' }],
  [{ 'if-none-match': other }, undefined],
  [{ 'if-none-match': own.replaceAll('"', '') }, undefined],
  [{ 'if-none-match': `"a${own}` }, undefined],
  [{ 'if-none-match': '"'.repeat(10_000) }, undefined],
  [{ 'if-match': '*' }, undefined],
  [{ 'if-match': `${other}, ${own}` }, undefined],
  [{ 'if-match': `W/${own}` }, 412],
  [{ 'if-match': other }, 412],
  [{ 'if-match': other, 'if-none-match': own }, 412],
  [{ 'if-match': own, 'if-none-match': own }, { unchanged: 'br' }],
])('the result for %j is %j', (headers, met) => expect(preconditions(headers, long, 'br')).toEqual(met));
