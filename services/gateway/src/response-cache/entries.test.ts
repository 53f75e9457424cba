import { expect, test } from 'vitest';
import { openEntries, PURGE_MS, STALE_MS } from './entries.ts';
import { representations } from './representations.ts';

const KB = 1_024;
function opened(room?: Parameters<typeof openEntries>[1]) {
  let now = 100_000;
  const entries = openEntries(() => now, room);
  const keep = (url: string, { tags = ['events'], bytes = 10, askedAt = now, freshMs = 1_000 } = {}) =>
    entries.keep({
      target: { url, service: 'catalog', route: '/a', hasQuery: url.includes('?'), rate: 'read' },
      answer: representations([], Buffer.alloc(bytes, url)),
      tags: new Set(tags),
      askedAt,
      freshMs,
    });
  const isFresh = (url: string) => now < (entries.get(url)?.freshUntil ?? -Infinity);
  const mayStandIn = (url: string) => now < (entries.get(url)?.staleUntil ?? -Infinity);
  return { entries, keep, isFresh, mayStandIn, pass: (ms: number) => (now += ms), at: () => now };
}

test('an answer is fresh for a second after its service was asked, even if its headers allow more', () => {
  const { keep, isFresh, mayStandIn, pass, at } = opened();
  keep('/a', { askedAt: at() - 400, freshMs: 3_600_000 });
  pass(599);
  expect(isFresh('/a')).toBe(true);
  pass(1);
  expect([isFresh('/a'), mayStandIn('/a')]).toEqual([false, true]);
  keep('/b', { freshMs: 200 });
  pass(200);
  expect(isFresh('/b')).toBe(false);
  pass(STALE_MS);
  expect(mayStandIn('/b')).toBe(false);
});

test('a purge takes effect immediately on older entries, and on recent ones within 100 ms', () => {
  const { entries, keep, isFresh, pass } = opened();
  keep('/old');
  pass(500);
  keep('/young');
  keep('/other', { tags: ['sales'] });
  entries.purge(['events'], false);
  expect(['/old', '/young', '/other'].map(isFresh)).toEqual([false, true, true]);
  pass(PURGE_MS);
  expect(['/old', '/young', '/other'].map(isFresh)).toEqual([false, false, true]);
});

test('an answer that was requested before a purge and arrives after it is not fresh', () => {
  const { entries, keep, isFresh, pass, at } = opened();
  const askedAt = at();
  pass(200);
  entries.purge(['event-7'], false);
  pass(1);
  const late = keep('/api/events/7', { tags: ['event-7'], askedAt });
  expect([isFresh('/api/events/7'), entries.isOutdated(late)]).toEqual([false, true]);
  const next = keep('/api/events/7', { tags: ['event-7'] });
  expect([isFresh('/api/events/7'), entries.isOutdated(next)]).toEqual([true, false]);
});

test('an answer requested right after a purge is requested again after 100 ms: its service may lag', () => {
  const { entries, keep, isFresh, pass } = opened();
  entries.purge(['events'], false);
  pass(5);
  keep('/a');
  pass(PURGE_MS - 1);
  expect(isFresh('/a')).toBe(true);
  pass(1);
  expect(isFresh('/a')).toBe(false);
  keep('/a');
  pass(999);
  expect(isFresh('/a')).toBe(true);
});

test('an answer purged as untrue is not served while the service is down, even if it arrives after the purge', () => {
  const { entries, keep, mayStandIn, pass, at } = opened();
  keep('/count');
  keep('/kept', { tags: ['event-7'] });
  const askedAt = at();
  pass(150);
  entries.purge(['events'], false);
  entries.purge(['event-7'], true);
  // A later purge that concerns only ticket counts does not make the entry true again.
  entries.purge(['event-7'], false);
  keep('/late', { tags: ['event-7'], askedAt });
  expect(['/count', '/kept', '/late'].map(mayStandIn)).toEqual([true, false, false]);
  pass(1);
  keep('/kept', { tags: ['event-7'] });
  expect(mayStandIn('/kept')).toBe(true);
});

test('under frequent purges a URL is requested ten times a second at most, and bodies are 100 ms late at most', () => {
  const { entries, keep, isFresh, pass, at } = opened();
  let asked = 0;
  let askedAt = -Infinity;
  let purgedAt = -Infinity;
  for (let ms = 0; ms < 10_000; ms++) {
    pass(1);
    if (ms % 7 === 0) {
      entries.purge(['events'], false);
      purgedAt = at();
    }
    if (!isFresh('/a')) {
      keep('/a');
      askedAt = at();
      asked++;
    }
    if (askedAt < purgedAt) expect(at() - askedAt).toBeLessThanOrEqual(PURGE_MS);
  }
  expect(asked).toBeLessThanOrEqual(101);
});

test('the least recently used entries are evicted first, based on number and bytes', () => {
  const { entries, keep } = opened({ plain: { max: 3, maxSize: 40 * KB }, withQuery: { max: 9, maxSize: 40 * KB } });
  ['/a', '/b', '/c'].forEach((url) => keep(url));
  entries.get('/a');
  keep('/d');
  expect(['/a', '/b', '/c', '/d'].map((url) => entries.get(url) !== undefined)).toEqual([true, false, true, true]);
  keep('/large', { bytes: 30 * KB });
  expect(entries.bytes()).toBeLessThanOrEqual(40 * KB);
  expect(entries.get('/large')).toBeDefined();
  keep('/larger than all', { bytes: 50 * KB });
  expect(entries.get('/larger than all')).toBeUndefined();
});

test('a million invented queries evict no event, and the memory for their answers is bounded', () => {
  const { entries, keep } = opened();
  for (let id = 0; id < 1_000; id++) keep(`/api/events/${id}`);
  for (let n = 0; n < 20_000; n++) keep(`/api/events?q=${n}`, { bytes: 20 * KB });
  expect(Array.from({ length: 1_000 }, (_, id) => entries.get(`/api/events/${id}`)).includes(undefined)).toBe(false);
  expect(entries.count()).toBeLessThanOrEqual(2_000);
  expect(entries.bytes()).toBeLessThan(50 * KB * KB);
});

test('a body that is compressed later adds to the size', async () => {
  const { entries, keep } = opened();
  const target = { url: '/a', service: 'catalog', route: '/a', hasQuery: false, rate: 'read' } as const;
  const answer = representations([['content-type', 'application/json']], Buffer.from('"far"'.repeat(5_000)));
  const entry = entries.keep({ target, answer, tags: new Set(), askedAt: 100_000, freshMs: 1_000 });
  const before = entries.bytes();
  const { body } = await answer.make('br');
  entries.measure(entry);
  expect(entries.bytes() - before).toBe(body.length);
  keep('/a');
  entries.measure(entry); // a newer entry has replaced this entry, so the newer one stays
  expect(entries.get('/a')).not.toBe(entry);
});
