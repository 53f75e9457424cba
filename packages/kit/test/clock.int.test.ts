import { afterEach, expect, test, vi } from 'vitest';
import { databaseClock } from '../src/postgres/clock.ts';
import { openPool } from '../src/postgres/pool.ts';
import { testDatabase } from '../src/testing/testing.ts';

const HOUR = 3_600_000;
const closing: Array<() => unknown> = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

test('processes whose clocks are an hour apart read the same time, even after a clock is set', async () => {
  const { url, drop } = await testDatabase();
  const pool = openPool(url);
  closing.push(drop, () => pool.end());
  const truth = Date.now();
  const right = await databaseClock(pool);
  vi.useFakeTimers({ toFake: ['Date'], now: truth + HOUR });
  const ahead = await databaseClock(pool);
  expect(Math.abs(ahead.now().getTime() - right.now().getTime())).toBeLessThan(60_000);
  vi.setSystemTime(truth - HOUR);
  for (const { now } of [right, ahead]) expect(Math.abs(now().getTime() - truth)).toBeLessThan(60_000);
  right.stop();
  ahead.stop();
});
