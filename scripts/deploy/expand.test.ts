import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakingStatements } from './expand.ts';

const root = join(import.meta.dirname, '..', '..');
const below = (folder: string): string[] => {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : [];
};
/** The folders of all migrations. */
const migrations = [
  ...below('services').flatMap((service) => below(`${service}/prisma/migrations`)),
  ...below('packages/kit/migrations').flatMap(below),
  ...['packages/event-store/migrations', 'packages/card-sandbox/migrations'].flatMap(below),
]
  .filter((folder) => existsSync(join(root, folder, 'migration.sql')))
  .toSorted();
const breakingIn = (folder: string) => breakingStatements(readFileSync(join(root, folder, 'migration.sql'), 'utf8'));

test('each new migration keeps what the previous release needs, or gives a reason', () => {
  expect(migrations.length).toBeGreaterThan(15);
  expect(migrations.flatMap((folder) => breakingIn(folder).map((one) => ({ folder, ...one })))).toEqual([]);
});

test.each([
  'drop table orders',
  'alter table orders drop column name',
  'alter table orders drop name',
  'alter table orders rename column name to title',
  'alter table orders rename to purchases',
  'alter table orders alter column id type bigint',
  'alter table orders alter column name set not null',
  'alter table orders add column kind text not null',
  'alter table orders add kind text not null, add note text',
  'alter table orders add constraint positive check (amount > 0)',
  'create unique index on orders (name)',
  'drop function take_holds',
  'create table notes (id int); alter table orders drop column name',
])('a breaking migration is refused: %s', (sql) => {
  expect(breakingStatements(sql)).toHaveLength(1);
  expect(breakingStatements(`-- Contract: no release since 0.2.0 reads it\n${sql}`)).toEqual([]);
  expect(breakingStatements(`-- Breaking: the old ids are too short\n${sql}`)).toEqual([]);
  // A marker without a reason does not count.
  expect(breakingStatements(`-- Breaking:\n${sql}`)).toHaveLength(1);
});

test.each([
  'create table orders (id int not null unique); create unique index on orders (id); alter table orders drop column id',
  'alter table orders add column note text',
  "alter table orders add column kind text not null default 'one'",
  'alter table orders add column total int not null generated always as (a + b) stored',
  'alter table orders alter column name drop not null',
  'alter table orders drop constraint positive',
  'create index on orders (name); drop index if exists orders_old',
  "insert into texts values ('drop table orders; set not null')",
  '-- drop table orders\nselect 1',
  'create or replace function f() returns void as $$ begin drop table x; end $$ language plpgsql',
])('a migration that only expands passes: %s', (sql) => {
  expect(breakingStatements(sql)).toEqual([]);
});
