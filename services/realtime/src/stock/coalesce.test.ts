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

test('sends the first change immediately', () => {
  coalescer.offer(change(1));
  expect(sent).toEqual([{ eventId: 7, version: 1, at: 0 }]);
});

test('sends a burst as its first and its last state', () => {
  for (let version = 1; version <= 50; version++) coalescer.offer(change(version));
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([
    { eventId: 7, version: 1, at: 0 },
    { eventId: 7, version: 50, at: 100 },
  ]);
});

test('sends two thousand changes in a second as a dozen messages; the last message has the last state', () => {
  for (let version = 1; version <= 2_000; version++) {
    coalescer.offer(change(version));
    vi.advanceTimersByTime(0.5);
  }
  vi.advanceTimersByTime(1_000);
  expect(sent.length).toBeLessThanOrEqual(12);
  expect(versions().at(-1)).toBe(2_000);
  expect(versions()).toEqual([...versions()].sort((a, b) => a - b));
});

test('also pauses after a delayed state', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  vi.advanceTimersByTime(150);
  coalescer.offer(change(3));
  vi.advanceTimersByTime(1_000);
  expect(sent.map(({ at }) => at)).toEqual([0, 100, 200]);
});

test('sends immediately again after a quiet time', () => {
  coalescer.offer(change(1));
  vi.advanceTimersByTime(5_000);
  coalescer.offer(change(2));
  expect(sent.map(({ at }) => at)).toEqual([0, 5_000]);
});

test('drops states that are older than or equal to the state sent last', () => {
  coalescer.offer(change(5));
  coalescer.offer(change(4));
  coalescer.offer(change(5));
  vi.advanceTimersByTime(1_000);
  coalescer.offer(change(3));
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([5]);
});

test('keeps the newest waiting state, in any order of arrival', () => {
  for (const version of [1, 9, 4, 8]) coalescer.offer(change(version));
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([1, 9]);
});

test('events do not wait for each other', () => {
  coalescer.offer(change(1, 7));
  coalescer.offer(change(1, 8));
  expect(sent.map(({ eventId }) => eventId)).toEqual([7, 8]);
});

test('sends nothing after it is stopped', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  coalescer.stop();
  vi.advanceTimersByTime(1_000);
  expect(versions()).toEqual([1]);
});

test('remembers the latest state for two minutes, even if it was not sent yet', () => {
  coalescer.offer(change(1));
  coalescer.offer(change(2));
  expect(coalescer.recent(7)).toEqual(change(2));
  vi.advanceTimersByTime(RECENT_MS);
  expect(coalescer.recent(7)).toEqual(change(2));
  vi.advanceTimersByTime(1);
  expect(coalescer.recent(7)).toBeUndefined();
  expect(coalescer.recent(8)).toBeUndefined();
});
