import { expect, test } from 'vitest';
import { giveWay } from './pace.ts';

const restOf = async (workedMs: number, utilization: number) => {
  const since = performance.now();
  await giveWay(workedMs, async () => utilization);
  return performance.now() - since;
};

test('while the process is busy mail rests twenty-nine times as long as it worked, at most a second', async () => {
  expect(await restOf(10, 0.9)).toBeGreaterThan(285);
  expect(await restOf(60_000, 0.9)).toBeGreaterThan(990);
});

test('a process that has nothing else to do sends one letter after the other', async () => {
  // Had it rested, this would be a second.
  expect(await restOf(60_000, 0.2)).toBeLessThan(900);
});

test('work that keeps the process from everything else counts as busy', async () => {
  const end = performance.now() + 400;
  const work = () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    if (performance.now() < end) setImmediate(work);
  };
  work();
  const since = performance.now();
  await giveWay(10);
  expect(performance.now() - since).toBeGreaterThan(270);
});
