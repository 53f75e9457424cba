import { afterAll, beforeAll, expect, test } from 'vitest';
import { asProblem } from '../src/problems.ts';
import { openPool } from '../src/postgres.ts';
import { eventually, testDatabase, type TestDatabase } from '../src/testing.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

test('one more than may wait for a connection is told at once, and those who wait are served', async () => {
  const pool = openPool(database.url, { max: 1, mostWaiting: 3 });
  const holder = await pool.connect();
  const waiting = [pool.query('select 1 as one'), pool.query('select 1 as one'), pool.connect()] as const;
  await eventually(() => pool.waitingCount === 3);
  for (const late of [() => pool.query('select 1'), () => pool.connect()]) {
    const error = await late().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'Overloaded', transient: true });
    expect(asProblem(error)).toMatchObject({ status: 503, retryAfter: 1 });
  }
  expect(pool.waitingCount).toBe(3);
  holder.release();
  expect((await waiting[0]).rows).toEqual([{ one: 1 }]);
  expect((await waiting[1]).rows).toEqual([{ one: 1 }]);
  (await waiting[2]).release();
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  await pool.end();
});
