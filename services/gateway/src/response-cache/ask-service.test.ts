import { expect, test } from 'vitest';
import { freshMsOf, tagsOf } from './ask-service.ts';

const whole = { 'content-length': '2' };
const freshness = (cacheControl: string, more: Record<string, string> = whole, status = 200) =>
  freshMsOf(status, new Headers({ 'cache-control': cacheControl, ...more }));

test.each([
  ['public, max-age=1', 1_000],
  ['Public,MAX-AGE=3600, immutable', 3_600_000],
  ['public', 0],
  ['max-age=1', 0],
  ['public, max-age=0', 0],
  ['public, max-age=-1', 0],
  ['public, max-age=1e9', 0],
  ['public, max-age=1, private', 0],
  ['public, max-age=1, private="x-name"', 0],
  ['public, max-age=1, no-store', 0],
  ['public, max-age=1, no-cache', 0],
  ['private, x="public, max-age=1"', 0],
  ['', 0],
])('%s may be cached for %i ms', (header, ms) => expect(freshness(header)).toBe(ms));

test('an answer is not cached if its status or headers leave any doubt', () => {
  for (const status of [201, 203, 204, 206, 301, 302, 304, 400, 404, 500, 503])
    expect(freshness('public, max-age=1', whole, status)).toBe(0);
  for (const more of [
    { 'set-cookie': 'a=b' },
    { 'content-encoding': 'gzip' },
    { vary: 'cookie' },
    { vary: 'accept-encoding, authorization' },
    { vary: '*' },
  ])
    expect(freshness('public, max-age=1', { ...whole, ...(more as Record<string, string>) })).toBe(0);
  expect(freshness('public, max-age=1', {})).toBe(0);
  expect(freshness('public, max-age=1', { ...whole, vary: 'Accept-Encoding' })).toBe(1_000);
});

test('tags must be valid names, and their number is limited', () => {
  expect([...tagsOf('events, event-7,, bad name,ok_1')]).toEqual(['events', 'event-7', 'ok_1']);
  expect(tagsOf(Array.from({ length: 5_000 }, (_, n) => `t${n}`).join(',')).size).toBe(64);
  expect(tagsOf(null).size).toBe(0);
});
