import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, Rejected, streams, type Decider, type Store } from '@beltway/event-store';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import '../src/observe/store-metrics.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { openPool } from '../src/postgres/pool.ts';
import { watchPool } from '../src/postgres/pool-metrics.ts';
import { eventually, testDatabase, type TestDatabase } from '../src/testing/testing.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase([eventStoreMigrations]);
  store = openStore({ url: database.url, toMessages: () => [] });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const value = async (name: string): Promise<number | undefined> => {
  const line = (await metricsText()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

type Added = { type: 'Added'; data: Record<string, never> };
const decider: Decider<number, 'add' | 'refuse', Added> = {
  initial: () => 0,
  evolve: (count) => count + 1,
  decide: (command) => {
    if (command === 'refuse') throw new Rejected('refused');
    return [{ type: 'Added', data: {} }];
  },
};

test('commands are counted for each group, and waiting commands are exported', async () => {
  const category = 'measured';
  const counts = streams<number, 'add' | 'refuse', Added>(store, { category, decider });
  const add = (command: 'add' | 'refuse' = 'add') =>
    counts.handle(1, command, { commandId: crypto.randomUUID() }).catch((error: unknown) => error);
  await add();
  const of = (name: string) => `${name}{category="${category}"}`;
  expect(await value(of('event_store_commands_total'))).toBe(1);

  const under = Array.from({ length: 100 }, () => add());
  expect(await value(of('event_store_commands_waiting'))).toBe(100);
  await Promise.all(under);
  expect(await value(of('event_store_commands_waiting'))).toBe(0);
  expect(await value(of('event_store_commands_total'))).toBe(101);
  expect(await value(of('event_store_group_commands_sum'))).toBe(101);
  const groups = await value(of('event_store_group_commands_count'));
  expect(groups).toBeLessThan(101);
  expect(await value(of('event_store_append_duration_seconds_count'))).toBe(groups);

  // Rejected commands are decided in a group, but no group is written.
  expect(await add('refuse')).toBeInstanceOf(Rejected);
  expect(await value(of('event_store_group_commands_count'))).toBe(groups! + 1);
  expect(await value(of('event_store_append_duration_seconds_count'))).toBe(groups);
});

test('a group is counted as a conflict if another instance appended first', async () => {
  const other = openStore({ url: database.url, toMessages: () => [] });
  const category = 'contended';
  const [one, two] = [store, other].map((of) => streams<number, 'add' | 'refuse', Added>(of, { category, decider }));
  const add = (of: typeof one) => of!.handle(1, 'add', { commandId: crypto.randomUUID() });
  await add(one);
  await add(two);
  await add(one);
  expect(await value(`event_store_conflicts_total{category="${category}"}`)).toBeGreaterThan(0);
  await other.close();
});

test('callers that wait for a connection are exported with their wait, until the pool is ended', async () => {
  const pool = openPool(database.url, { name: 'tried', max: 2 });
  const of = (name: string) => `${name}{pool="tried"}`;
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const waiting = pool.query('select 1');
  expect(await value(of('pg_pool_waiting'))).toBe(1);
  expect(await value(of('pg_pool_connections'))).toBe(2);
  expect(await value(of('pg_pool_connections_idle'))).toBe(0);
  expect(await value(of('pg_pool_connections_max'))).toBe(2);
  expect(await value(of('pg_pool_wait_seconds_count'))).toBe(2);
  clients.forEach((client) => client.release());
  await waiting;
  expect(await value(of('pg_pool_waiting'))).toBe(0);
  expect(await value(of('pg_pool_wait_seconds_count'))).toBe(3);
  await eventually(async () => (await value(of('pg_pool_connections_idle'))) === 2);
  await pool.end();
  expect(await value(of('pg_pool_waiting'))).toBeUndefined();
});

test('a wait that ends in an error counts too', async () => {
  const pool = openPool('postgres://nobody:x@127.0.0.1:1/none', { name: 'away' });
  await expect(pool.query('select 1')).rejects.toThrow();
  expect(await value('pg_pool_wait_seconds_count{pool="away"}')).toBe(1);
  await pool.end();
  watchPool(store.pool, 'store');
  await store.pool.query('select 1');
  expect(await value('pg_pool_wait_seconds_count{pool="store"}')).toBe(1);
});
