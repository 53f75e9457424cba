import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { migrate, migrationsDigest, TooOldDatabase } from '@beltway/kit/migrate';
import { databasePassword, type Secrets } from '../secrets.ts';
import { StartError } from '../start-error.ts';

/** A database, owned by a role of the same name. The roles of other services may not connect to it. */
export interface Database {
  name: string;
  /** Folders of migrations, in order. */
  migrations: string[];
}

/** A server on which databases are created. */
export interface Server {
  /** URL with a role that may create databases and roles. */
  adminUrl: string;
  /** URL of one of these databases, with the database's own role. */
  url: (database: string) => string;
  /** The data folder of a server that the launcher started; undefined for an external server. */
  folder?: string;
  /** Prefix of the names of databases and roles on the server. */
  prefix: string;
}

export const databaseUrl = (name: string, port: number, secrets: Secrets): string =>
  `postgres://${name}:${databasePassword(secrets, name)}@127.0.0.1:${port}/${name}`;

/**
 * This system's databases on an external server, which may have other databases. `adminUrl`: URL with a role that may
 * create databases and roles.
 */
export function outsideServer(adminUrl: string, secrets: Secrets): Server {
  const prefix = 'beltway_';
  return {
    adminUrl,
    prefix,
    url: (database) => {
      const url = new URL(adminUrl);
      const name = prefix + database;
      Object.assign(url, { username: name, password: databasePassword(secrets, database), pathname: `/${name}` });
      return url.href;
    },
  };
}

export interface Prepared {
  /** Resolves when this database exists and is migrated; resolves immediately for a database that was not requested. */
  ready(name: string): Promise<void>;
  all: Promise<void>;
}

/** The file with the last applied migrations. It is inside the data folder, so that it cannot outlive the data. */
const markerFile = (folder: string) => join(folder, 'beltway-migrated.json');

function readMarker(folder: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(markerFile(folder), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/**
 * Creates missing databases one after the other and migrates each as soon as it exists; sends no query if the
 * migrations have not changed.
 */
export function prepareDatabases(databases: Database[], server: Server, secrets: Secrets): Prepared {
  const { adminUrl, url, folder, prefix } = server;
  const marker = folder ? readMarker(folder) : {};
  const gates = new Map(databases.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const work = async () => {
    const digests = await Promise.all(databases.map(({ migrations }) => migrationsDigest(migrations)));
    const missing = databases.filter(({ name }, index) => marker[name] !== digests[index]);
    for (const { name } of databases) if (!missing.some((one) => one.name === name)) gates.get(name)!.resolve();
    if (missing.length === 0) return;
    const migrations: Array<Promise<void>> = [];
    const admin = new Client({ connectionString: adminUrl });
    await admin.connect();
    try {
      for (const { name, migrations: folders } of missing) {
        await ensure(admin, prefix + name, databasePassword(secrets, name));
        const done = migrate(url(name), folders).then(() => gates.get(name)!.resolve());
        done.catch(() => undefined);
        migrations.push(done);
      }
    } finally {
      await admin.end();
    }
    await Promise.all(migrations);
    const now = Object.fromEntries(databases.map(({ name }, index) => [name, digests[index]]));
    if (folder) writeFileSync(markerFile(folder), JSON.stringify(now));
  };
  const all = work().catch((cause: Error) => {
    const error = startErrorOf(cause, folder);
    for (const gate of gates.values()) gate.reject(error);
    throw error;
  });
  for (const gate of gates.values()) gate.promise.catch(() => undefined);
  all.catch(() => undefined);
  return { ready: async (name) => gates.get(name)?.promise, all };
}

/** Converts an error that the caller can fix. In a data folder, the caller can only fix data that is too old. */
function startErrorOf(cause: Error, folder: string | undefined): Error {
  if (!folder) return new StartError(`DATABASE_SERVER_URL: ${cause.message}`, { cause });
  if (!(cause instanceof TooOldDatabase)) return cause;
  return new StartError(
    `The data in ${dirname(folder)} is of a Beltway version before 0.1.0 and cannot be taken over: move the folder away, or set DATA_DIR to another one.`,
    { cause },
  );
}

/**
 * Creates a database and its role. Each step is idempotent, because an earlier start may have been killed after any of
 * them. Names are constants, never user input.
 */
async function ensure(admin: Client, name: string, password: string): Promise<void> {
  const { rows } = await admin.query<{ role: boolean; database: boolean; closed: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as role,
            exists (select from pg_database where datname = $1) as database,
            exists (select from pg_database where datname = $1 and datacl is not null) as closed`,
    [name],
  );
  const found = rows[0]!;
  if (!found.role) await admin.query(`create role "${name}" login password '${password}'`);
  if (!found.database) await admin.query(`create database "${name}" owner "${name}"`);
  if (!found.closed) await admin.query(`revoke all on database "${name}" from public`);
}
