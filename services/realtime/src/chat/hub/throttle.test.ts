import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttlePerRoom } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gathered() {
  const given: string[] = [];
  const gatherer = throttlePerRoom(50, (room, seqs) => void given.push(`${room}: ${seqs.join(' ')}`));
  return { given, ...gatherer };
}

test('for a quiet room, the first number is passed immediately and later numbers in one batch, each number once', () => {
  const { given, add } = gathered();
  void add('a', [1, 1]);
  for (let again = 0; again < 100; again++) void add('a', [2, 3]);
  void add('b', [7]);
  expect(given).toEqual(['a: 1', 'b: 7']);
  vi.advanceTimersByTime(50);
  expect(given).toEqual(['a: 1', 'b: 7', 'a: 2 3']);
  void add('a', [4]);
  expect(given).toHaveLength(3);
  vi.advanceTimersByTime(50);
  expect(given.at(-1)).toBe('a: 4');
  vi.advanceTimersByTime(50);
  void add('a', [5]);
  expect(given.at(-1)).toBe('a: 5');
});

test('under load, the first call for a room is immediate, then twenty calls follow a second', () => {
  const { given, add } = gathered();
  for (let ms = 0; ms < 1_000; ms++) {
    void add('a', [ms % 10]);
    vi.advanceTimersByTime(1);
  }
  expect(given).toHaveLength(21);
});

test('add waits until its items were processed', async () => {
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { add } = throttlePerRoom(50, (_room, seqs) => (seqs.includes(2) ? promise : undefined));
  void add('a', [1]).then(() => done.push('one'));
  void add('a', [2]).then(() => done.push('two'));
  await vi.advanceTimersByTimeAsync(60);
  expect(done).toEqual(['one']);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['one', 'two']);
});

test('after it is stopped, nothing is passed', () => {
  const { given, add, stop } = gathered();
  void add('a', [1]);
  void add('a', [2]);
  stop();
  vi.advanceTimersByTime(1_000);
  expect(given).toEqual(['a: 1']);
});
