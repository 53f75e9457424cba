import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { KEEP_ALIVE_MS } from '../http/serve.ts';
import { migrate, migrationsDigest } from '../postgres/migrate.ts';

export interface TestDatabase {
  url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

const NO_SERVER =
  'No test server: run this file by vitest in the project "int" (*.int.test.ts), or set TEST_DATABASE_URL to a superuser of a PostgreSQL that may be filled with databases.';

function urlOf(database: string): string {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error(NO_SERVER);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A fresh database with these migration folders applied, on the server that vitest started. The first call for a set of
 * folders migrates a template; every further database is a copy of it, in about 50 ms. With no folder it is empty.
 */
export async function testDatabase(folders: string[] = []): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(async (admin) => {
    const template = folders.length > 0 ? await templateFor(admin, folders) : 'template1';
    // Copied as files: by the log, which is the default, it takes twice as long.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: urlOf(name),
    drop: () => asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

const TEMPLATE_LOCK = 6_402_118_550;
const known = new Map<string, string>();

/** Test files run in several processes: one of them builds the template, the others wait for it. */
async function templateFor(admin: Client, folders: string[]): Promise<string> {
  const digest = await migrationsDigest(folders);
  const name = `template_${createHash('sha256').update(digest).digest('hex').slice(0, 16)}`;
  if (known.has(name)) return name;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount === 0) {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.query(`create database ${name}`);
      await migrate(urlOf(name), folders);
      await admin.query(`alter database ${name} is_template true`);
    }
    known.set(name, digest);
    return name;
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/**
 * Waits until `condition` gives something true, and gives it back. Asks again after 10 ms, later every 50 ms; what it throws
 * counts as "not yet". Fails after `timeoutMs` (25 s, for machines that do much else) with the last thing thrown or seen.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, what = 'the condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<Exclude<Awaited<T>, false | null | undefined | 0 | ''>> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    let last: unknown;
    try {
      last = await condition();
      if (last) return last as Exclude<Awaited<T>, false | null | undefined | 0 | ''>;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const seen = last instanceof Error ? last.message : JSON.stringify(last);
      throw new Error(`${what} was not met within ${timeoutMs} ms; last: ${seen}`, { cause: last });
    }
    await pause(tries < 20 ? 10 : 50);
  }
}

/**
 * Listens, and keeps idle connections as long as a service does: Node's 5 s pass while a busy test does something else, and the
 * connection ends under the next request. Gives the origin.
 */
export async function listen(server: Server, { port = 0, host = '127.0.0.1' } = {}): Promise<string> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(port, host), 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}
