import { afterAll, beforeAll, expect, test } from 'vitest';
import { bufferedStdout, logger } from '../src/observe/logger.ts';
import { asProblem } from '../src/http/problems.ts';
import { afterCommit } from '../src/postgres/after-commit.ts';
import { openPool, transaction } from '../src/postgres/pool.ts';
import { eventually, testDatabase, type TestDatabase } from '../src/testing/testing.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

test('a caller beyond the queue limit is refused immediately, and waiting callers are served', async () => {
  const pool = openPool(database.url, { max: 1, maxWaiting: 3 });
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

test('work after a commit runs when its writes are visible, and never after a rollback', async () => {
  // With one connection, work left over from one transaction would run after the next transaction, and the test would
  // detect it.
  const pool = openPool(database.url, { max: 1 });
  await pool.query('create table committed (n int)');
  const seen: Array<Promise<number[]>> = [];
  const write = (n: number, fails = false) =>
    transaction(pool, async (tx) => {
      await tx.query('insert into committed values ($1)', [n]);
      afterCommit(tx, () => {
        const all = pool.query<{ n: number }>('select n from committed order by n');
        seen.push(all.then(({ rows }) => rows.map((row) => row.n)));
      });
      if (fails) throw new Error('not written');
    });
  await write(1);
  await expect(write(2, true)).rejects.toThrow('not written');
  await write(3);
  expect(await Promise.all(seen)).toEqual([[1], [1, 3]]);
  await pool.end();
});

test('a connection that broke while idle is logged without its keys', async () => {
  let written = '';
  const out = { write: (text: string) => (written += text) } as unknown as Parameters<typeof bufferedStdout>[0];
  const pool = openPool(database.url, { log: logger('test', 'trace', bufferedStdout(out)) });
  await pool.query('select 1');
  const other = openPool(database.url);
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await eventually(() => written.includes('an idle database connection broke'));
  expect(written).toContain('"code":"57P01"');
  expect(written).not.toMatch(/secretKey|processID|connectionParameters|"client"/);
  await Promise.all([pool.end(), other.end()]);
});
