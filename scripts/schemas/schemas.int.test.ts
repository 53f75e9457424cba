import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { testDatabase } from '@beltway/kit/testing';
import { root } from '../launcher/settings.ts';
import { plainDefault, tablesOf, type Table } from './prisma.ts';

const services = readdirSync(join(root, 'services')).filter((name) =>
  existsSync(join(root, 'services', name, 'prisma', 'migrations')),
);

/** Tables of packages, which the migrations of services may use. */
const KERNEL = [
  eventStoreMigrations,
  ...['inbox', 'jobs', 'requests', 'moderated'].map((name) => join(root, 'packages', 'kit', 'migrations', name)),
];

/**
 * The tables that the migrations create: columns with types, nulls and defaults, keys, indexes. Prisma cannot express
 * checks, partial and computed indexes, storage parameters, sequences and comments, so these are not compared. Names of
 * indexes are not compared either.
 */
async function tablesIn(url: string): Promise<Map<string, Table>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const columns = await client.query<{ table: string; column: string; default: string | null }>(`
      select c.relname as "table",
        a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as "column",
        pg_get_expr(d.adbin, d.adrelid) as "default"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
    const keys = await client.query<{ table: string; kind: 'primaryKey' | 'uniques' | 'indexes'; columns: string }>(`
      select c.relname as "table",
        case when i.indisprimary then 'primaryKey' when i.indisunique then 'uniques' else 'indexes' end as kind,
        (select string_agg(a.attname || case when i.indoption[k.place - 1] & 1 = 1 then ' desc' else '' end, ', ' order by k.place)
         from unnest(i.indkey) with ordinality k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where k.place <= i.indnkeyatts) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and i.indpred is null and i.indexprs is null`);
    const references = await client.query<{ table: string; definition: string }>(`
      select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
    const tables = new Map<string, Table>();
    for (const { table, column, default: value } of columns.rows) {
      if (!tables.has(table))
        tables.set(table, { columns: [], primaryKey: [], uniques: [], indexes: [], foreignKeys: [] });
      tables.get(table)!.columns.push(column + (value === null ? '' : ` default ${plainDefault(value)}`));
    }
    for (const { table, kind, columns: names } of keys.rows) tables.get(table)?.[kind].push(names);
    for (const { table, definition } of references.rows)
      tables
        .get(table)!
        .foreignKeys.push(
          definition
            .replace(/^FOREIGN KEY \((.*?)\) REFERENCES (\w+)\(/, '$1 -> $2 (')
            .replace(/ ON DELETE (.*)$/, (_, action: string) => ` on delete ${action.toLowerCase()}`),
        );
    for (const table of tables.values()) for (const list of Object.values(table) as string[][]) list.sort();
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

test.each(services)('%s: schema.prisma matches the migrations', async (service) => {
  const folder = join(root, 'services', service, 'prisma');
  const [before, database] = await Promise.all([
    testDatabase(KERNEL),
    testDatabase([...KERNEL, join(folder, 'migrations')]),
  ]);
  try {
    const made = await tablesIn(database.url);
    for (const table of (await tablesIn(before.url)).keys()) made.delete(table);
    const described = tablesOf(readFileSync(join(folder, 'schema.prisma'), 'utf8'));
    // A relation may lack a foreign key: a copy of another service's row can arrive before the row to which the copy
    // refers.
    for (const [name, table] of described)
      table.foreignKeys = table.foreignKeys.filter((key) => made.get(name)?.foreignKeys.includes(key));
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(made));
  } finally {
    await Promise.all([before.drop(), database.drop()]);
  }
});
