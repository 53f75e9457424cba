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
  /** The launcher; everything, PostgreSQL too, runs below it. */
  pid: number;
  api: Api;
  processes(): RunningProcess[];
  /** A database as the server's superuser. */
  adminUrl(database: string): string;
  /** A connection to ticketing's own database. */
  ticketing: Client;
}

/** The whole system as `npm start` starts it, without limits of rates, on a data folder of its own. Commits are on disk. */
export async function startSystem(
  { say, onEnd }: Pick<Options, 'say' | 'onEnd'>,
  env: Record<string, string> = {},
): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'beltway-bench-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  // A few hundred accounts stand for a crowd: each holds more than one buyer may.
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

/** The load comes from other machines where it is real. Here it gives way, or each answer would interrupt whoever gives it. */
export const standBack = (): void => setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** So many signed-in users' tokens. They are good for fifteen minutes. */
export async function tokensOf(api: Api, count: number): Promise<string[]> {
  const tokens: string[] = [];
  let left = count;
  const registrar = async () => {
    while (left-- > 0) tokens.push((await api.register('Bea Buyer')).token);
  };
  await Promise.all(Array.from({ length: 4 }, registrar));
  return tokens;
}
