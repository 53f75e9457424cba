import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { challengeChecks, factChecks, type FactCheck } from '../src/engagement/check-queue.ts';

const NOW = new Date('2026-11-25T17:00:00.000Z');
const LATER = new Date('2026-11-26T03:00:00.000Z');
let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase([
    eventStoreMigrations,
    fileURLToPath(new URL('../../../packages/kit/migrations/jobs', import.meta.url)),
    fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
  ]);
  pool = openPool(database.url);
});
beforeEach(() => pool.query('truncate fact_checks, challenge_checks'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ask = (subjectId: number) =>
  pool.query(`insert into fact_checks (user_id, kind, subject_id) values (1, 'attended', $1) ${factChecks.again}`, [
    subjectId,
  ]);
const fact = (subjectId: number): FactCheck => ({ userId: 1, kind: 'attended', subjectId });
const nothing = async () => undefined;
/** What is looked at until nothing is due. */
async function looked(now: Date, again?: Date): Promise<FactCheck[]> {
  const seen: FactCheck[] = [];
  while (await factChecks.next(pool, now, async (check) => (seen.push(check), again)));
  return seen;
}

test('what was asked for several times is looked at once, and then there is nothing', async () => {
  for (const subjectId of [7, 7, 8]) await ask(subjectId);
  expect((await looked(NOW)).sort((a, b) => a.subjectId - b.subjectId)).toEqual([fact(7), fact(8)]);
  expect(await looked(LATER)).toEqual([]);
  expect(await factChecks.next(pool, NOW, nothing)).toBe(false);
});

test('what can be otherwise by itself is looked at again when it is time, or when it is asked for before', async () => {
  await ask(7);
  expect(await looked(NOW, LATER)).toEqual([fact(7)]);
  expect(await looked(new Date(LATER.getTime() - 1))).toEqual([]);
  await ask(7);
  expect(await looked(NOW, LATER)).toEqual([fact(7)]);
  expect(await looked(LATER)).toEqual([fact(7)]);
  expect(await looked(LATER)).toEqual([]);
});

test.each([undefined, LATER])('what is asked for while somebody looks is looked at once more (%s)', async (again) => {
  await ask(7);
  await factChecks.next(pool, NOW, async () => (await ask(7), again));
  expect(await looked(NOW)).toEqual([fact(7)]);
});

test('while one looks nobody else does, and who fails leaves it to the next after a minute', async () => {
  await ask(7);
  const failing = factChecks.next(pool, NOW, async () => {
    expect(await looked(NOW)).toEqual([]);
    throw new Error('killed');
  });
  await expect(failing).rejects.toThrow('killed');
  expect(await looked(NOW)).toEqual([]);
  await pool.query(`update fact_checks set leased_until = leased_until - interval '61 seconds'`);
  expect(await looked(NOW)).toEqual([fact(7)]);
});

test('a week is named as it was written', async () => {
  await pool.query(`insert into challenge_checks (user_id, week) values (1, '2026-11-22') ${challengeChecks.again}`);
  let week = '';
  await challengeChecks.next(pool, NOW, async (check) => void (week = check.week));
  expect(week).toBe('2026-11-22');
  expect(await challengeChecks.next(pool, NOW, nothing)).toBe(false);
});
