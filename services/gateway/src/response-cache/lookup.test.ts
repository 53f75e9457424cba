import { HttpProblem, unavailable, notFound } from '@beltway/kit/problems';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from './ask-service.ts';
import { openEntries, STALE_MS } from './entries.ts';
import { openLookup, type Outcome } from './lookup.ts';
import type { Target } from './target.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIST: Target = { url: '/api/events', service: 'catalog', route: '/api/events', hasQuery: false, rate: 'read' };
const down: Answer = { kind: 'down', problem: unavailable('part-away') };
const saying = (text: string, tags = ['events']): Answer => ({
  kind: 'shared',
  headers: [['content-type', 'application/json']],
  body: Buffer.from(text),
  tags: new Set(tags),
  freshMs: 1_000,
});
/** A short form of an outcome. */
const shown = (outcome: Outcome) =>
  outcome === 'unshared'
    ? outcome
    : outcome instanceof HttpProblem
      ? outcome.status
      : `${outcome.by}: ${outcome.entry.answer.made('identity')!.body.toString()}`;

/** A lookup whose service responds on command. */
function opened() {
  const asked: Array<(answer: Answer) => void> = [];
  const entries = openEntries(() => Date.now());
  const lookup = openLookup({
    entries,
    clock: () => Date.now(),
    ask: () => new Promise((resolve) => asked.push(resolve)),
  });
  return {
    entries,
    asked,
    /** Requests the list. `seen` is set once there is an outcome. */
    find: () => {
      const question: { seen?: string | number } = {};
      void lookup.find(LIST).then((outcome) => (question.seen = shown(outcome)));
      return question;
    },
    lookup,
    /** Responds to the latest request as the service. */
    async answer(answer: Answer) {
      asked.at(-1)!(answer);
      await vi.advanceTimersByTimeAsync(0);
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

test('a thousand concurrent readers cause one request, and all get its answer', async () => {
  const { asked, find, answer, pass } = opened();
  const crowd = Array.from({ length: 1_000 }, find);
  await answer(saying('one'));
  expect(asked).toHaveLength(1);
  expect(new Set(crowd.map(({ seen }) => seen))).toEqual(new Set(['miss: one']));
  await pass(999);
  const next = find();
  await pass(0);
  expect([next.seen, asked.length]).toEqual(['hit: one', 1]);
  await pass(1);
  find();
  expect(asked).toHaveLength(2);
});

test.each([
  ['fails', down, 503],
  ['is a 404', { kind: 'problem', problem: notFound() } as Answer, 404],
  ['is specific to a caller', { kind: 'unshared' } as Answer, 'unshared'],
])('a thousand readers whose answer %s cause one request, and nothing is cached', async (_what, given, seen) => {
  const { asked, entries, find, answer } = opened();
  const crowd = Array.from({ length: 1_000 }, find);
  await answer(given);
  expect(asked).toHaveLength(1);
  expect(new Set(crowd.map((one) => one.seen))).toEqual(new Set([seen]));
  expect(entries.count()).toBe(0);
});

test('for a second after an unshared answer, the service is not asked for a shared one', async () => {
  const { lookup, find, answer, pass } = opened();
  find();
  await answer({ kind: 'unshared' });
  expect(lookup.isUnshared(LIST)).toBe(true);
  await pass(1_000);
  expect(lookup.isUnshared(LIST)).toBe(false);
});

test('an answer that is no longer shared replaces the cached one', async () => {
  const { entries, find, answer, pass } = opened();
  find();
  await answer(saying('one'));
  await pass(1_000);
  const next = find();
  await answer({ kind: 'problem', problem: notFound() });
  expect([next.seen, entries.count()]).toEqual([404, 0]);
});

test('after a purge during a request, waiting readers get the answer to a later request', async () => {
  const { entries, asked, find, answer, pass } = opened();
  const before = find();
  await pass(150);
  entries.purge(['events'], true);
  const after = find();
  expect(asked).toHaveLength(1);
  await answer(saying('old'));
  expect([before.seen, after.seen, asked.length]).toEqual([undefined, undefined, 2]);
  await answer(saying('new'));
  expect([before.seen, after.seen]).toEqual(['miss: new', 'miss: new']);
  const later = find();
  await pass(0);
  expect([later.seen, asked.length]).toEqual(['hit: new', 2]);
});

test('a purge of a different tag does not affect a request in progress', async () => {
  const { entries, asked, find, answer, pass } = opened();
  const reader = find();
  await pass(150);
  entries.purge(['event-8'], true);
  await answer(saying('one'));
  expect([reader.seen, asked.length]).toEqual(['miss: one', 1]);
});

test('constant changes do not keep a reader waiting indefinitely', async () => {
  const { entries, asked, find, answer, pass } = opened();
  const reader = find();
  for (let round = 1; round <= 3; round++) {
    await pass(150);
    entries.purge(['events'], true);
    await answer(saying(`version ${round}`));
  }
  expect([reader.seen, asked.length]).toEqual(['miss: version 3', 3]);
});

test('while the service is down the last answer is served immediately, and the service is retried once a second', async () => {
  const { asked, find, answer, pass } = opened();
  find();
  await answer(saying('one'));
  await pass(1_000);
  const first = find();
  await answer(down);
  expect(first.seen).toBe('stale: one');
  for (let ms = 0; ms < 60_000; ms += 100) {
    const reader = find();
    await pass(0);
    expect(reader.seen).toBe('stale: one');
    if (asked.length > 2) await answer(down);
    await pass(100);
  }
  expect(asked.length).toBeLessThanOrEqual(2 + 60);
  await pass(1_000);
  find();
  await answer(saying('two'));
  const back = find();
  await pass(0);
  expect(back.seen).toBe('hit: two');
});

test('the last answer is served for five minutes and no longer', async () => {
  const { find, answer, pass } = opened();
  find();
  await answer(saying('one'));
  await pass(STALE_MS);
  const late = find();
  await answer(down);
  expect(late.seen).toBe(503);
});

test('an answer purged as untrue is not served, even if the purge arrives during a request', async () => {
  const { entries, find, answer, pass } = opened();
  find();
  await answer(saying('untrue'));
  await pass(1_000);
  const reader = find();
  await pass(10);
  entries.purge(['events'], true);
  await answer(down);
  expect(reader.seen).toBe(503);
});

test('while a service hangs, the first readers get the last answer after two seconds, and later ones immediately', async () => {
  const { asked, find, answer, pass } = opened();
  find();
  await answer(saying('one'));
  await pass(1_000);
  const first = find();
  await pass(1_999);
  expect(first.seen).toBeUndefined();
  await pass(1);
  const second = find();
  await pass(0);
  expect([first.seen, second.seen, asked.length]).toEqual(['stale: one', 'stale: one', 2]);
  await answer(saying('two'));
  const third = find();
  await answer(saying('three'));
  expect([third.seen, asked.length]).toEqual(['miss: three', 3]);
});

test('an unchanged version keeps its compressed copies', async () => {
  const { entries, find, answer, pass } = opened();
  const long = JSON.stringify('far '.repeat(1_000));
  find();
  await answer(saying(long));
  const first = entries.get(LIST.url)!.answer;
  await pass(1_000);
  find();
  await answer(saying(long));
  expect(entries.get(LIST.url)!.answer).toBe(first);
  await pass(1_000);
  find();
  await answer(saying(`${long} `));
  expect(entries.get(LIST.url)!.answer).not.toBe(first);
});

test('after an event is published its readers do not get the 404 of an earlier request', async () => {
  const { asked, entries, find, answer } = opened();
  const none: Answer = { kind: 'problem', problem: notFound() };
  // The next event's id is easy to guess, so a client may request it constantly.
  const guessing = find();
  await vi.advanceTimersByTimeAsync(10);
  entries.purge(['events', 'event-7'], true);
  const organizer = find();
  await answer(none);
  expect(asked).toHaveLength(2);
  await answer(saying('published'));
  expect([guessing.seen, organizer.seen]).toEqual(['miss: published', 'miss: published']);
});
