import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { apiOf, type Api } from '../../e2e/support/api.ts';
import { startBeltway } from '../../e2e/support/beltway.ts';
import { databaseUrl } from '../../scripts/launcher/engines/databases.ts';
import type { RunningProcess } from '../../scripts/launcher/processes/roster.ts';
import { secretsOf } from '../../scripts/launcher/secrets.ts';
import type { Options } from './bench.ts';
import { durability } from './database.ts';

export interface Running {
  url: string;
  port: number;
  /** The launcher, the ancestor of all processes, including PostgreSQL. */
  pid: number;
  api: Api;
  processes(): RunningProcess[];
  /** URL of a database, with the server's superuser. */
  adminUrl(database: string): string;
  /** A connection to ticketing's own database. */
  ticketing: Client;
}

/**
 * Starts the whole system as `npm start` does, with a separate data folder and without rate limits or limits on holds.
 * Throws if a commit would not survive a power failure.
 */
export async function startSystem(
  { say, onEnd }: Pick<Options, 'say' | 'onEnd'>,
  env: Record<string, string> = {},
): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'beltway-bench-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  // A few hundred accounts simulate many buyers, so each account holds more tickets than the limits allow.
  const unlimited = { MAX_OPEN_HOLDS: '1000000000', MAX_HELD_TICKETS: '1000000000' };
  const beltway = await startBeltway({ dataDir, env: { ...unlimited, ...env } });
  onEnd(() => beltway.stop());
  const processes = () => JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as RunningProcess[];
  const port = Number(new URL(processes().find(({ service }) => service === 'postgres')!.url).port);
  const secrets = secretsOf(dataDir);
  const ticketing = new Client({ connectionString: databaseUrl('ticketing', port, secrets) });
  await ticketing.connect();
  onEnd(() => ticketing.end());
  say(await durability(ticketing));
  return {
    url: beltway.url,
    port: Number(new URL(beltway.url).port),
    pid: beltway.pid,
    api: apiOf(beltway.url),
    processes,
    adminUrl: (database) => `postgres://postgres:${secrets.POSTGRES_PASSWORD}@127.0.0.1:${port}/${database}`,
    ticketing,
  };
}

/**
 * Lowers the priority of the load generator, so that it does not preempt the server that it measures. A real load comes
 * from other machines.
 */
export const standBack = (): void => setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * Analyzes all tables. A new system's first plans are made for nearly empty tables, and PostgreSQL keeps them until
 * autovacuum analyzes the tables, a minute after their first growth.
 */
export async function analyze({ adminUrl }: Pick<Running, 'adminUrl'>): Promise<void> {
  const withClient = async <T>(database: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: adminUrl(database) });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const { rows } = await withClient('postgres', (client) =>
    client.query<{ name: string }>('select datname as name from pg_database where not datistemplate'),
  );
  for (const { name } of rows) await withClient(name, (client) => client.query('analyze'));
}

/** Registers `count` accounts and returns their tokens, which are valid for fifteen minutes. */
export async function tokensOf(api: Api, count: number): Promise<string[]> {
  const tokens: string[] = [];
  let left = count;
  const registrar = async () => {
    while (left-- > 0) tokens.push((await api.register('Bea Buyer')).token);
  };
  await Promise.all(Array.from({ length: 4 }, registrar));
  return tokens;
}
