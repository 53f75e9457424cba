import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../scripts/launcher/engines/postgres.ts';
import type { Options } from './bench.ts';

export interface Server {
  pid: number;
  port: number;
  password: string;
  url(database: string): string;
  /** Creates an empty database and returns its URL. */
  database(name: string): Promise<string>;
  /** Writes dirty pages, so that no measurement pays for the previous one. */
  checkpoint(): Promise<void>;
}

/** A separate PostgreSQL server, started like Beltway's on a new folder. Asserts that a commit is on disk. */
export async function startServer({ say, onEnd }: Pick<Options, 'say' | 'onEnd'>): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'beltway-bench-'));
  chmodSync(folder, 0o711);
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const password = randomBytes(16).toString('hex');
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
    durable: true,
    onCrash: (what) => say(`PostgreSQL: ${what}`),
  });
  onEnd(() => server.stop());
  const admin = new Client({ connectionString: server.url('postgres') });
  await admin.connect();
  onEnd(() => admin.end());
  say(await durability(admin));
  return {
    pid: server.pid()!,
    port: server.port,
    password,
    url: server.url,
    database: async (name) => {
      await admin.query(`create database ${name}`);
      return server.url(name);
    },
    checkpoint: async () => void (await admin.query('checkpoint')),
  };
}

/** The settings that decide whether a commit survives a power failure. Throws if one of them is off. */
export async function durability(client: Pick<Client, 'query'>): Promise<string> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name`,
  );
  const { rows: version } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  if (rows.length !== 3 || rows.some(({ setting }) => setting !== 'on'))
    throw new Error(`A commit would not be on disk: ${JSON.stringify(rows)}`);
  return `PostgreSQL ${version[0]!.version}, ${rows.map(({ name, setting }) => `${name}=${setting}`).join(', ')}`;
}
