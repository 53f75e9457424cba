import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, migrationsDigest } from '../src/postgres/migrate.ts';
import { eventually, testDatabase, type TestDatabase } from '../src/testing/testing.ts';

let database: TestDatabase;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'migrate-'));
  database = await testDatabase();
});
afterEach(async () => {
  await database.drop();
  await rm(root, { recursive: true });
});

/** Writes a migration in a service's layout: `<root>/<group>/prisma/migrations/<name>/migration.sql`. */
async function write(group: string, name: string, sql: string): Promise<string> {
  const folder = join(root, group, 'prisma', 'migrations');
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
  return folder;
}

async function query<T = Record<string, unknown>>(sql: string): Promise<T[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

test('applies folders in the order given, each file once', async () => {
  const store = await write('store', '0001_log', 'create table log (id int)');
  const shop = await write('shop', '0001_orders', 'alter table log add column name text; create table orders (id int)');
  expect(await migrate(database.url, [store, shop])).toEqual(['store/0001_log', 'shop/0001_orders']);
  expect(await migrate(database.url, [store, shop])).toEqual([]);
  await write('shop', '0002_index', 'create index on orders (id)');
  expect(await migrate(database.url, [store, shop])).toEqual(['shop/0002_index']);
});

test('refuses a file changed after it was applied, by name, but ignores line endings', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (\n  id int\n)');
  await migrate(database.url, [shop]);
  await write('shop', '0001_orders', 'create table orders (\r\n  id int\r\n)');
  expect(await migrate(database.url, [shop])).toEqual([]);
  await write('shop', '0001_orders', 'create table orders (id bigint)');
  await expect(migrate(database.url, [shop])).rejects.toThrow('shop/0001_orders');
});

test('data of a version before 0.1.0 is rejected in one sentence and stays unchanged', async () => {
  const [store, shop] = [
    await write('store', '0001_log', 'create table log (id int)'),
    await write('shop', '0001_orders', 'create table orders (id int)'),
  ];
  await write('shop', '0002_names', 'alter table orders add column name text');
  await migrate(database.url, [store, shop]);
  const before = await query('select * from schema_migrations');
  await rm(join(shop, '0001_orders'), { recursive: true });
  await rm(join(shop, '0002_names'), { recursive: true });
  await write('shop', '0001_initial', 'create table orders (id int, name text)');
  await write('store', '0002_more', 'create table more (id int)');
  await expect(migrate(database.url, [store, shop])).rejects.toThrow(
    'The data is of a Beltway version before 0.1.0 and cannot be taken over: start with an empty database.',
  );
  expect(await query('select * from schema_migrations')).toEqual(before);
  expect(await query(`select to_regclass('more') as more`)).toEqual([{ more: null }]);
});

test('a failing migration is rolled back, and earlier migrations stay', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (id int)');
  await write('shop', '0002_bad', 'create table half (id int); select 1 / 0');
  await expect(migrate(database.url, [shop])).rejects.toThrow('shop/0002_bad');
  expect(
    await query(`select to_regclass('orders') is not null as orders, to_regclass('half') is null as half`),
  ).toEqual([{ orders: true, half: true }]);
  expect(await query('select name from schema_migrations')).toEqual([{ name: 'shop/0001_orders' }]);
});

test('two concurrent processes apply every migration once', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (id int); select pg_sleep(0.1)');
  const results = await Promise.all([migrate(database.url, [shop]), migrate(database.url, [shop])]);
  expect(results.flat()).toEqual(['shop/0001_orders']);
});

test('refuses two folders with one name, and treats a missing folder as empty', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (id int)');
  await expect(migrate(database.url, [shop, join(root, 'other', 'shop', 'migrations')])).rejects.toThrow('"shop"');
  expect(await migrate(database.url, [join(root, 'nothing')])).toEqual([]);
});

test('the digest changes with every file', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (id int)');
  const before = await migrationsDigest([shop]);
  await write('shop', '0002_more', 'create table more (id int)');
  expect(await migrationsDigest([shop])).not.toBe(before);
});

test('test databases are isolated copies of one template', async () => {
  const shop = await write('shop', '0001_orders', 'create table orders (id int)');
  const [one, two] = await Promise.all([testDatabase([shop]), testDatabase([shop])]);
  const client = new Client({ connectionString: one.url });
  await client.connect();
  await client.query('insert into orders values (1)');
  const other = new Client({ connectionString: two.url });
  await other.connect();
  expect((await other.query('select * from orders')).rows).toEqual([]);
  await Promise.all([client.end(), other.end()]);
  await Promise.all([one.drop(), two.drop()]);
});

test('eventually waits for a condition, and reports the last value', async () => {
  let calls = 0;
  expect(await eventually(() => ++calls > 3 && calls)).toBe(4);
  await expect(
    eventually(() => Promise.reject(new Error('not there')), { timeoutMs: 30, what: 'the row' }),
  ).rejects.toThrow('the row was not met within 30 ms; last: not there');
});
