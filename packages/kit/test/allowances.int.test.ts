import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_S, inWords, ofAccount, ofNetworks, openAllowances } from '../src/http/limits/allowances.ts';
import { openPool } from '../src/postgres/pool.ts';
import { testDatabase, type TestDatabase } from '../src/testing/testing.ts';
import type { Pool } from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../migrations/allowances', import.meta.url));
const SECRET = 'a secret of the tests, long enough 01234';
const TEN = { name: 'ten', max: 10, perSeconds: DAY_S };
let database: TestDatabase;
/** Two pools, as in two instances. */
let pools: [Pool, Pool];

beforeAll(async () => {
  database = await testDatabase([MIGRATIONS]);
  pools = [openPool(database.url), openPool(database.url)];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});
beforeEach(() => pools[0].query('truncate allowances'));

const instances = () => pools.map((pool) => openAllowances(pool, SECRET));
const pass = (seconds: number) =>
  pools[0].query('update allowances set spent_until = spent_until - make_interval(secs => $1)', [seconds]);

test('concurrent requests to two instances stay within the allowance, and refusals state when to retry', async () => {
  const [one, two] = instances() as [ReturnType<typeof openAllowances>, ReturnType<typeof openAllowances>];
  const waits = await Promise.all(
    Array.from({ length: 30 }, (_, n) => (n % 2 ? one : two).take([ofAccount(TEN, 7, 1)])),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  for (const wait of waits.filter((one) => one > 0)) expect(Math.abs(wait - DAY_S / 10)).toBeLessThan(60);
  expect(await one.take([ofAccount(TEN, 8, 10)])).toBe(0);
});

test('an allowance refills evenly', async () => {
  const [one] = instances();
  expect(await one!.take([ofAccount(TEN, 7, 10)])).toBe(0);
  await pass(DAY_S / 10 - 60);
  expect(await one!.take([ofAccount(TEN, 7, 1)])).toBeGreaterThan(0);
  await pass(61);
  expect(await one!.take([ofAccount(TEN, 7, 1)])).toBe(0);
  expect(await one!.take([ofAccount(TEN, 7, 1)])).toBeGreaterThan(0);
});

test('if one share is refused, no other share is taken', async () => {
  const [one] = instances();
  expect(await one!.take([ofAccount(TEN, 7, 10)])).toBe(0);
  expect(await one!.take([ofAccount(TEN, 8, 6), ofAccount(TEN, 7, 1)])).toBeGreaterThan(0);
  expect(await one!.take([ofAccount(TEN, 8, 10)])).toBe(0);
});

test('an amount above the whole allowance is taken from a full allowance', async () => {
  const [one] = instances();
  expect(await one!.take([ofAccount(TEN, 7, 25)])).toBe(0);
  const wait = await one!.take([ofAccount(TEN, 7, 1)]);
  expect(Math.abs(wait - 1.6 * DAY_S)).toBeLessThan(60);
});

test('the /56 of an IPv6 network has four times the allowance, its /48 sixteen times the allowance', async () => {
  const [one] = instances();
  const taken = async (address: string) => (await one!.take(ofNetworks(TEN, address, 1))) === 0;
  let granted = 0;
  for (let subnet = 0; subnet < 20; subnet++)
    for (let n = 0; n < 12; n++) if (await taken(`2001:db8:1:${(subnet * 256).toString(16)}::${n}`)) granted++;
  expect(granted).toBe(160);
});

test('no row contains an IP address, and refilled rows are deleted', async () => {
  const [one] = instances();
  await one!.take(ofNetworks(TEN, '203.0.113.7', 1));
  const { rows } = await pools[0].query<{ row: string }>('select a::text as row from allowances a');
  expect(rows[0]!.row).not.toContain('203.0.113');
  await pass(DAY_S);
  await one!.take([ofAccount(TEN, 9, 1)]);
  expect((await pools[0].query('select from allowances')).rowCount).toBe(1);
});

test.each([
  [1, 'a second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7_199, '120 minutes'],
  [7_201, '3 hours'],
])('%s s are %s', (seconds, words) => expect(inWords(seconds)).toBe(words));
