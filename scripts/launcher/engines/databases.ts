import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, migrationsDigest } from '@beltway/kit/migrate';
import { databasePassword, type Secrets } from '../secrets.ts';
import { StartError } from '../start-error.ts';

/** A database with a role of its own name, which owns it; no other service's role may connect to it. */
export interface Database {
  name: string;
  /** Folders of migrations, in order. */
  migrations: string[];
}

/** A server that databases are made on. */
export interface Server {
  /** As one who may make databases and roles. */
  adminUrl: string;
  /** Of a database of ours, as its own role. */
  url: (database: string) => string;
  /** The data folder of a server of our own; none for one given from outside. */
  folder?: string;
  /** What databases and roles are called there, before the name of the service. */
  prefix: string;
}

export const databaseUrl = (name: string, port: number, secrets: Secrets): string =>
  `postgres://${name}:${databasePassword(secrets, name)}@127.0.0.1:${port}/${name}`;

/** Databases of ours on a server given from outside, beside those of others. `adminUrl`: as one who may make databases and roles. */
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
  /** Resolves when this database is there and up to date; at once for one that was not asked for. */
  ready(name: string): Promise<void>;
  all: Promise<void>;
}

/** What was applied last, kept inside the data folder so that it can never outlive the data. */
const markerFile = (folder: string) => join(folder, 'beltway-migrated.json');

function readMarker(folder: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(markerFile(folder), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Makes missing databases one after the other and migrates each as soon as it is there; asks nothing when nothing changed. */
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
    const error = folder ? cause : new StartError(`DATABASE_SERVER_URL: ${cause.message}`, { cause });
    for (const gate of gates.values()) gate.reject(error);
    throw error;
  });
  for (const gate of gates.values()) gate.promise.catch(() => undefined);
  all.catch(() => undefined);
  return { ready: async (name) => gates.get(name)?.promise, all };
}

/** Every step by itself may have been done by a start that was killed after it. Names are ours, never a visitor's. */
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
