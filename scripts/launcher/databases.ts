import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, migrationsDigest } from '@beltway/kit/migrate';
import { databasePassword, type Secrets } from './secrets.ts';

/** A database with a role of its own name, which owns it; no other service's role may connect to it. */
export interface Database {
  name: string;
  /** Folders of migrations, in order. */
  migrations: string[];
}

export const databaseUrl = (name: string, port: number, secrets: Secrets): string =>
  `postgres://${name}:${databasePassword(secrets, name)}@127.0.0.1:${port}/${name}`;

export interface Prepared {
  /** Resolves when this database is there and up to date. */
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
export function prepareDatabases(
  databases: Database[],
  server: { adminUrl: string; port: number; folder: string },
  secrets: Secrets,
): Prepared {
  const marker = readMarker(server.folder);
  const gates = new Map(databases.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const work = async () => {
    const digests = await Promise.all(databases.map(({ migrations }) => migrationsDigest(migrations)));
    const missing = databases.filter(({ name }, index) => marker[name] !== digests[index]);
    for (const { name } of databases) if (!missing.some((one) => one.name === name)) gates.get(name)!.resolve();
    if (missing.length === 0) return;
    const migrations: Array<Promise<void>> = [];
    const admin = new Client({ connectionString: server.adminUrl });
    await admin.connect();
    try {
      for (const { name, migrations: folders } of missing) {
        await ensure(admin, name, databasePassword(secrets, name));
        const done = migrate(databaseUrl(name, server.port, secrets), folders).then(() => gates.get(name)!.resolve());
        done.catch(() => undefined);
        migrations.push(done);
      }
    } finally {
      await admin.end();
    }
    await Promise.all(migrations);
    const now = Object.fromEntries(databases.map(({ name }, index) => [name, digests[index]]));
    writeFileSync(markerFile(server.folder), JSON.stringify(now));
  };
  const all = work().catch((error: unknown) => {
    for (const gate of gates.values()) gate.reject(error);
    throw error;
  });
  for (const gate of gates.values()) gate.promise.catch(() => undefined);
  all.catch(() => undefined);
  return { ready: (name) => gates.get(name)!.promise, all };
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
