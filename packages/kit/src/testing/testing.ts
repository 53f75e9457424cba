import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { KEEP_ALIVE_MS } from '../http/serve.ts';
import type { Worker } from '../jobs/queue.ts';
import { migrate, migrationsDigest } from '../postgres/migrate.ts';

export interface TestDatabase {
  url: string;
  /** Closes every connection to the database and drops it. */
  drop(): Promise<void>;
}

const NO_SERVER =
  'No test server: run this file by vitest in the project "int" (*.int.test.ts), or set TEST_DATABASE_URL to the URL, with a superuser, of a PostgreSQL server on which tests may create databases.';

function urlOf(database: string): string {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error(NO_SERVER);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * This process's superuser connection. It is reused: a new connection would add half of the time that creating a small
 * database takes.
 */
let admin: Promise<Client> | undefined;

function adminClient(): Promise<Client> {
  return (admin ??= connectAdmin().catch((error: Error) => {
    admin = undefined;
    throw error;
  }));
}

async function connectAdmin(): Promise<Client> {
  const client = new Client({ connectionString: urlOf('postgres') });
  // The server may stop before this process.
  client.on('error', () => (admin = undefined));
  await client.connect();
  // The connection must not keep the process running. pg's types lack `unref`.
  (client as Client & { unref(): void }).unref();
  return client;
}

/**
 * Creates a database with the migrations of these folders, on the server that vitest started. The first call for a set
 * of folders migrates a template; every further database is a copy of this template, which takes about 50 ms. Without
 * folders the database is empty.
 */
export async function testDatabase(folders: string[] = []): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = await adminClient();
  const template = folders.length > 0 ? await templateFor(client, folders) : 'template1';
  // Copies files, because the default, which uses the write-ahead log, takes twice as long.
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: urlOf(name),
    drop: async () => void (await (await adminClient()).query(`drop database if exists ${name} with (force)`)),
  };
}

const TEMPLATE_LOCK = 6_402_118_550;
/** Templates that this process has or is waiting for, keyed by name. */
const templates = new Map<string, Promise<string>>();

async function templateFor(client: Client, folders: string[]): Promise<string> {
  const digest = await migrationsDigest(folders);
  const name = `template_${createHash('sha256').update(digest).digest('hex').slice(0, 16)}`;
  // The advisory lock excludes only other processes, because all code of this process shares one session.
  let template = templates.get(name);
  if (!template) {
    template = madeTemplate(client, name, folders);
    templates.set(name, template);
    template.catch(() => templates.delete(name));
  }
  return template;
}

/**
 * Creates a template under a lock, because test files run in several processes: one process creates the template, all
 * other processes wait for it.
 */
async function madeTemplate(client: Client, name: string, folders: string[]): Promise<string> {
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount === 0) {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name}`);
      await migrate(urlOf(name), folders);
      await client.query(`alter database ${name} is_template true`);
    }
    return name;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/**
 * Waits until `condition` returns something truthy, and returns it. Repeats after 10 ms, later every 50 ms. Errors
 * count as "not yet". Fails after `timeoutMs` (60 s, for busy machines) and two more tries, with the last error or value.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, what = 'the condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<Exclude<Awaited<T>, false | null | undefined | 0 | ''>> {
  const deadline = performance.now() + timeoutMs;
  // If the process stood still until the deadline, what it waits for may already have arrived.
  let triesAfterwards = 0;
  for (let tries = 1; ; tries++) {
    let last: unknown;
    try {
      last = await condition();
      if (last) return last as Exclude<Awaited<T>, false | null | undefined | 0 | ''>;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline && ++triesAfterwards > 2) {
      const seen = last instanceof Error ? last.message : JSON.stringify(last);
      throw new Error(`${what} was not met within ${timeoutMs} ms; last: ${seen}`, { cause: last });
    }
    await pause(tries < 20 && triesAfterwards === 0 ? 10 : 50);
  }
}

/** Like `eventually`, for a check that throws until it passes, such as an assertion. */
export const eventuallyPasses = (check: () => void | Promise<void>, timeoutMs = 60_000): Promise<true> =>
  eventually(
    async () => {
      await check();
      return true as const;
    },
    { timeoutMs },
  );

/**
 * Listens and returns the origin. Keeps idle connections open as long as a service does, because Node's default of 5 s
 * may pass during a slow test, and the next request would then fail.
 */
export async function listen(server: Server, { port = 0, host = '127.0.0.1' } = {}): Promise<string> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(port, host), 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Runs all jobs that are due and stops the worker. */
export async function runJobs(worker: Worker): Promise<void> {
  await worker.work();
  await worker.stop();
}
