import { expect, test } from 'vitest';
import { fewAtATime } from './few-at-a-time.ts';

test('runs a limited number of jobs in order, and continues after a failure', async () => {
  const inTurn = fewAtATime(2, 600_000);
  const ends: Array<() => void> = [];
  const begun: number[] = [];
  const work = (number: number) =>
    inTurn(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 1) throw new Error('broken');
      return number;
    });
  const all = Promise.allSettled([1, 2, 3, 4, 5].map(work));
  for (const expected of [
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    await expect.poll(() => begun).toEqual(expected);
    ends.shift()!();
  }
  ends.shift()!();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
  const last = work(6);
  await expect.poll(() => begun.at(-1)).toBe(6);
  ends.shift()!();
  expect(await last).toBe(6);
});

test('a slow job makes room for the next, and does not free its slot twice', async () => {
  const inTurn = fewAtATime(1, 300);
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = inTurn(() => promise);
  expect(await inTurn(async () => 'beside it')).toBe('beside it');
  resolve();
  await slow;
  // There is still one slot, not two.
  const ends: Array<() => void> = [];
  const both = [1, 2].map(() => inTurn(() => new Promise<void>((end) => ends.push(end))));
  expect(ends).toHaveLength(1);
  ends[0]!();
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]!();
  await Promise.all(both);
});
