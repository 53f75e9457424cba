import { expect, test } from 'vitest';
import { restWhileBusy, restAfter } from './pace.ts';

test('while the process is busy, the mail worker pauses twenty-nine times as long as it worked, at most a second', () => {
  expect([0.5, 0.9, 1].map((utilization) => restAfter(10, utilization))).toEqual([290, 290, 290]);
  expect(restAfter(60_000, 0.9)).toBe(1_000);
});

test('an idle process sends mails without pauses', () => {
  expect([0, 0.1, 0.2].map((utilization) => restAfter(60_000, utilization))).toEqual([0, 0, 0]);
});

test('between idle and busy, the pause grows with the load', () => {
  expect(restAfter(10, 0.35)).toBeCloseTo(145);
});

test('work that blocks the event loop counts as busy', async () => {
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
