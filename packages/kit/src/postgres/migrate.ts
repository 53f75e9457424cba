import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { connection, LONG_WORK } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';

export interface Migration {
  /**
   * Group and folder, `ticketing/0001_orders`. The name is unique in a database, even if two groups both start with
   * 0001.
   */
  name: string;
  sql: string;
  checksum: string;
  /** Why older releases cannot run once this migration is applied: the text of its comment `-- Breaking: …`. */
  breaking: string | null;
}

/** Key of the advisory lock under which only one process at a time migrates a database; an arbitrary number. */
const LOCK = 7_205_114_303;
const LOCK_TIMEOUT = '5s';
const STATEMENT_TIMEOUT = '5min';
const LOCK_ATTEMPTS = 5;

/**
 * The group of a folder: its path's last part that is not a common name. `services/ticketing/prisma/migrations` →
 * `ticketing`.
 */
function groupOf(folder: string): string {
  const parts = resolve(folder).split(sep);
  return parts.findLast((part) => part !== 'migrations' && part !== 'prisma' && part !== '') ?? 'main';
}

/**
 * Reads `folder/NNNN_name/migration.sql` of every folder. Folders stay in the given order, files are sorted by name. A
 * missing folder counts as empty.
 */
export async function readMigrations(folders: string[]): Promise<Migration[]> {
  const groups = folders.map(groupOf);
  const twice = groups.find((group, index) => groups.indexOf(group) !== index);
  if (twice) throw new Error(`Two migration folders have the same name "${twice}"`);
  const all = await Promise.all(folders.map((folder, index) => readFolder(folder, groups[index]!)));
  return all.flat();
}

async function readFolder(folder: string, group: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      // Git may check out files with other line endings, which must not change the migration.
      const sql = (await readFile(join(folder, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      const breaking = /^-- Breaking: (.+)$/m.exec(sql)?.[1] ?? null;
      return { name: `${group}/${name}`, sql, checksum: createHash('sha256').update(sql).digest('hex'), breaking };
    }),
  );
}

/** A digest of all migrations. If it is unchanged, there is nothing to migrate. */
export async function migrationsDigest(folders: string[]): Promise<string> {
  const migrations = await readMigrations(folders);
  return createHash('sha256')
    .update(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex');
}

/** The database has migrations of a version before 0.1.0. Thrown before anything is changed. */
export class TooOldDatabase extends Error {
  override name = 'TooOldDatabase';
}

/** Throws if a group has applied migrations, but not its first migration, which creates all of its tables. */
function refuseOlder(migrations: Migration[], done: ReadonlyMap<string, string>): void {
  const group = (name: string) => name.slice(0, name.indexOf('/'));
  const first = new Map(migrations.toReversed().map(({ name }) => [group(name), name]));
  for (const name of done.keys()) {
    const start = first.get(group(name));
    if (start !== undefined && !done.has(start))
      throw new TooOldDatabase(
        'The data is of a Beltway version before 0.1.0 and cannot be taken over: start with an empty database.',
      );
  }
}

/**
 * Migrates a database and returns the names of newly applied migrations. Each migration runs only once, in its own
 * transaction. If a migration's file is changed afterwards, an error names the migration. Throws `TooOldDatabase`, and
 * changes nothing, for data from before 0.1.0. The wait for a table lock is limited to 5 s and retried, so that a
 * migration never blocks all other queries behind it.
 */
export async function migrate(databaseUrl: string, folders: string[], log?: Pick<Logger, 'info'>): Promise<string[]> {
  const migrations = await readMigrations(folders);
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    ...connection(LONG_WORK),
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const done = await applied(client);
    refuseOlder(migrations, done);
    const changed = migrations.filter(({ name, checksum }) => (done.get(name) ?? checksum) !== checksum);
    if (changed.length > 0) {
      const names = changed.map(({ name }) => name).join(', ');
      throw new Error(`Changed after it was applied: ${names}. Put the file back and add a new migration instead.`);
    }
    const missing = migrations.filter(({ name }) => !done.has(name));
    for (const migration of missing) {
      await apply(client, migration);
      log?.info({ migration: migration.name }, 'migrated');
    }
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function applied(client: Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  await client.query('alter table schema_migrations add column if not exists breaking text');
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function apply(client: Client, { name, sql, checksum, breaking }: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(
        `begin; set local lock_timeout = '${LOCK_TIMEOUT}'; set local statement_timeout = '${STATEMENT_TIMEOUT}'`,
      );
      await client.query(sql);
      await client.query('insert into schema_migrations (name, checksum, breaking) values ($1, $2, $3)', [
        name,
        checksum,
        breaking,
      ]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      const busy = (error as { code?: string }).code === '55P03';
      if (!busy || attempt === LOCK_ATTEMPTS) {
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      await pause(200 * attempt);
    }
  }
}
