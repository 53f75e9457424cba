import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { connection, LONG_WORK } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';

export interface Migration {
  /** Group and folder, `ticketing/0001_orders`: unique in a database, also when two groups both begin with 0001. */
  name: string;
  sql: string;
  checksum: string;
  /** Why older releases cannot run once it is applied: the text of its line `-- Breaking: …`. */
  breaking: string | null;
}

/** Only one process migrates a database at a time; the number is arbitrary and ours. */
const LOCK = 7_205_114_303;
const LOCK_TIMEOUT = '5s';
const STATEMENT_TIMEOUT = '5min';
const LOCK_ATTEMPTS = 5;

/** The folder's own name, without the parts every folder has: `services/ticketing/prisma/migrations` → `ticketing`. */
function groupOf(folder: string): string {
  const parts = resolve(folder).split(sep);
  return parts.findLast((part) => part !== 'migrations' && part !== 'prisma' && part !== '') ?? 'main';
}

/** Reads `folder/NNNN_name/migration.sql` of every folder: folders in the order given, files by name. A missing folder is empty. */
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
      // Git may check files out with other line ends; that is not a change of the migration.
      const sql = (await readFile(join(folder, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      const breaking = /^-- Breaking: (.+)$/m.exec(sql)?.[1] ?? null;
      return { name: `${group}/${name}`, sql, checksum: createHash('sha256').update(sql).digest('hex'), breaking };
    }),
  );
}

/** One digest of everything that would be applied: the same as last time means there is nothing to do. */
export async function migrationsDigest(folders: string[]): Promise<string> {
  const migrations = await readMigrations(folders);
  return createHash('sha256')
    .update(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex');
}

/**
 * Brings a database up to date and answers the names applied now. Each migration runs in its own transaction; one that has
 * run is never run again, and changing its file afterwards is an error that names it. Waiting for a table's lock is cut off
 * after 5 s and tried again, so that a migration never makes all other queries queue behind it.
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
