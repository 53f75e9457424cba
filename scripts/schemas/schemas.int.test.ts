import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { testDatabase } from '@beltway/kit/testing';
import { root } from '../launcher/settings.ts';
import { tablesOf, type Table } from './prisma.ts';

const services = readdirSync(join(root, 'services')).filter((name) =>
  existsSync(join(root, 'services', name, 'prisma', 'migrations')),
);

/** Tables that are not the service's own; its migrations may use them. */
const KERNEL = [eventStoreMigrations, join(root, 'packages', 'kit', 'migrations', 'inbox')];

/** The tables that the migrations make. Partial and computed indexes are left out: Prisma has no word for them. */
async function tablesIn(url: string): Promise<Map<string, Table>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const columns = await client.query<{ table: string; column: string }>(`
      select c.relname as "table",
        a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as "column"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
    const keys = await client.query<{ table: string; primary: boolean; columns: string }>(`
      select c.relname as "table", i.indisprimary as "primary",
        (select string_agg(a.attname, ', ' order by k.place) from unnest(i.indkey) with ordinality k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where k.place <= i.indnkeyatts) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and i.indisunique and i.indpred is null and i.indexprs is null`);
    const tables = new Map<string, Table>();
    for (const { table, column } of columns.rows) {
      if (!tables.has(table)) tables.set(table, { columns: [], primaryKey: [], uniques: [] });
      tables.get(table)!.columns.push(column);
    }
    for (const { table, primary, columns: names } of keys.rows)
      tables.get(table)?.[primary ? 'primaryKey' : 'uniques'].push(names);
    for (const table of tables.values()) {
      table.columns.sort();
      table.uniques.sort();
    }
    return tables;
  } finally {
    await client.end();
  }
}

test('services with a database are found', () => {
  expect(services).toEqual(
    expect.arrayContaining(['catalog', 'identity', 'media', 'payments', 'realtime', 'ticketing']),
  );
});

test.each(services)('%s: schema.prisma and the migrations say the same', async (service) => {
  const folder = join(root, 'services', service, 'prisma');
  const [before, database] = await Promise.all([
    testDatabase(KERNEL),
    testDatabase([...KERNEL, join(folder, 'migrations')]),
  ]);
  try {
    const made = await tablesIn(database.url);
    for (const table of (await tablesIn(before.url)).keys()) made.delete(table);
    const described = tablesOf(readFileSync(join(folder, 'schema.prisma'), 'utf8'));
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(made));
  } finally {
    await Promise.all([before.drop(), database.drop()]);
  }
});
