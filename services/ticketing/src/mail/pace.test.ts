import { expect, test } from 'vitest';
import { restWhileBusy, restAfter } from './pace.ts';

test('while the process is busy mail rests twenty-nine times as long as it worked, at most a second', () => {
  expect([0.5, 0.9, 1].map((utilization) => restAfter(10, utilization))).toEqual([290, 290, 290]);
  expect(restAfter(60_000, 0.9)).toBe(1_000);
});

test('a process that has little else to do sends one mail after the other', () => {
  expect([0, 0.1, 0.2].map((utilization) => restAfter(60_000, utilization))).toEqual([0, 0, 0]);
});

test('between idle and busy mail rests the longer the more the process has to do', () => {
  expect(restAfter(10, 0.35)).toBeCloseTo(145);
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
  await restWhileBusy(10);
  expect(performance.now() - since).toBeGreaterThan(270);
});
