import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../src/postgres/migrate.ts';
import { schemaCheck } from '../src/postgres/schema-check.ts';
import { testDatabase, type TestDatabase } from '../src/testing/testing.ts';

let database: TestDatabase;
let root: string;
let pool: pg.Pool;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'schema-'));
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // The database is dropped while one of its connections is idle, which would otherwise be an unhandled error.
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(root, { recursive: true });
});

/** The migrations of a release of the service `shop`. */
async function release(name: string, migrations: Record<string, string>): Promise<string[]> {
  const folder = join(root, name, 'shop', 'prisma', 'migrations');
  for (const [migration, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, migration), { recursive: true });
    await writeFile(join(folder, migration, 'migration.sql'), sql);
  }
  return [folder];
}

const first = { '0001_orders': 'create table orders (id int, name text)' };
const expanded = { ...first, '0002_note': 'alter table orders add column note text' };
const broken = { ...expanded, '0003_no_name': '-- Breaking: orders have no name\nalter table orders drop column name' };

test('a release is ready on its own schema, and on a schema that a newer release has only expanded', async () => {
  const old = await release('old', first);
  await migrate(database.url, old);
  await expect(schemaCheck(pool, old)()).resolves.toBeUndefined();
  await migrate(database.url, await release('new', expanded));
  await expect(schemaCheck(pool, old)()).resolves.toBeUndefined();
});

test('a release that a newer schema breaks reports the migration and the reason, even while running', async () => {
  const old = await release('old', first);
  await migrate(database.url, old);
  const newest = await release('new', broken);
  await migrate(database.url, newest);
  await expect(schemaCheck(pool, old)()).rejects.toThrow(
    'a newer release has applied shop/0003_no_name, which breaks this one (orders have no name): deploy the newer release',
  );
  await expect(schemaCheck(pool, newest)()).resolves.toBeUndefined();
});

test('a release on a database that was not migrated names the missing migrations', async () => {
  await migrate(database.url, await release('old', first));
  const check = schemaCheck(pool, await release('new', expanded));
  await expect(check()).rejects.toThrow('the database lacks shop/0002_note: migrate it first');
  await migrate(database.url, await release('new', expanded));
  await expect(check()).resolves.toBeUndefined();
});

test('a database last migrated by an older release has no marks, and is accepted', async () => {
  const old = await release('old', first);
  await migrate(database.url, old);
  await pool.query('alter table schema_migrations drop column breaking');
  await expect(schemaCheck(pool, old)()).resolves.toBeUndefined();
  // The next migration adds the column `breaking`.
  await migrate(database.url, await release('new', broken));
  await expect(schemaCheck(pool, old)()).rejects.toThrow('0003_no_name');
});
