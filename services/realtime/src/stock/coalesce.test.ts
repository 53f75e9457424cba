import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { RECENT_MS, coalesce, type Coalescer } from './coalesce.ts';

let sent: Array<Pick<Availability, 'eventId' | 'version'> & { at: number }>;
let coalescer: Coalescer;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  sent = [];
  coalescer = coalesce(({ eventId, version }) => sent.push({ eventId, version, at: Date.now() }), 100);
});
afterEach(() => {
  coalescer.stop();
  vi.useRealTimers();
});

const change = (version: number, eventId = 7): Availability => ({
  eventId,
  version,
  capacity: 10_000,
  sold: version,
  held: 0,
});
const versions = () => sent.map(({ version }) => version);

test('tells the first change at once', () => {
  coalescer.offer(change(1));
  expect(sent).toEqual([{ eventId: 7, version: 1, at: 0 }]);
});

test('tells a rush as its first and its last state', () => {
  for (let version = 1; version <= 50; version++) coalescer.offer(change(version));
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([
    { eventId: 7, version: 1, at: 0 },
    { eventId: 7, version: 50, at: 100 },
  ]);
});

test('tells two thousand changes in a second in a dozen messages, the last one right', () => {
  for (let version = 1; version <= 2_000; version++) {
    coalescer.offer(change(version));
    vi.advanceTimersByTime(0.5);
  }
  vi.advanceTimersByTime(1_000);
  expect(sent.length).toBeLessThanOrEqual(12);
  expect(versions().at(-1)).toBe(2_000);
  expect(versions()).toEqual([...versions()].sort((a, b) => a - b));
});

test('keeps the pause after a state that had to wait, too', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  vi.advanceTimersByTime(150);
  coalescer.offer(change(3));
  vi.advanceTimersByTime(1_000);
  expect(sent.map(({ at }) => at)).toEqual([0, 100, 200]);
});

test('tells at once again after a quiet time', () => {
  coalescer.offer(change(1));
  vi.advanceTimersByTime(5_000);
  coalescer.offer(change(2));
  expect(sent.map(({ at }) => at)).toEqual([0, 5_000]);
});

test('drops what is older than what was told, and what is the same', () => {
  coalescer.offer(change(5));
  coalescer.offer(change(4));
  coalescer.offer(change(5));
  vi.advanceTimersByTime(1_000);
  coalescer.offer(change(3));
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([5]);
});

test('keeps the newest of what waits, in whatever order it came', () => {
  for (const version of [1, 9, 4, 8]) coalescer.offer(change(version));
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([1, 9]);
});

test('lets no event wait for another', () => {
  coalescer.offer(change(1, 7));
  coalescer.offer(change(1, 8));
  expect(sent.map(({ eventId }) => eventId)).toEqual([7, 8]);
});

test('is silent once stopped', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  coalescer.stop();
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([1]);
});

test('remembers the latest state, also one that waits, for two minutes', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  expect(coalescer.recent(7)).toEqual(change(2));
  vi.advanceTimersByTime(RECENT_MS);
  expect(coalescer.recent(7)).toEqual(change(2));
  vi.advanceTimersByTime(1);
  expect(coalescer.recent(7)).toBeUndefined();
  expect(coalescer.recent(8)).toBeUndefined();
});
