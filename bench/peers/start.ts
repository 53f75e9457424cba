import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '@beltway/kit/migrate';
import { freePorts } from '@beltway/kit/free-ports';
import { serviceMigrations } from '../../scripts/launcher/migrations.ts';
import type { Options } from '../support/bench.ts';

export interface Peer {
  port: number;
  pids: number[];
  /** The peer's own database. */
  database: Client;
}

/** Starts the peer's gateway and its ticket service in production mode, on a new database of the same server. */
export async function startPeer(
  { adminUrl, jwks }: { adminUrl: (database: string) => string; jwks: string },
  { onEnd }: Pick<Options, 'onEnd'>,
): Promise<Peer> {
  const admin = new Client({ connectionString: adminUrl('postgres') });
  await admin.connect();
  await admin.query('create database peer');
  await admin.end();
  await migrate(adminUrl('peer'), serviceMigrations('ticketing'));
  const database = new Client({ connectionString: adminUrl('peer') });
  await database.connect();
  onEnd(() => database.end());

  const [ticketsPort, port] = (await freePorts(2)) as [number, number];
  const run = async (name: string, env: Record<string, string>): Promise<number> => {
    const child = fork(join(import.meta.dirname, `${name}.ts`), {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    onEnd(() => {
      child.kill('SIGKILL');
      return ended;
    });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`the peer's ${name} ended (${code})`)));
    });
    return child.pid!;
  };
  const tickets = await run('tickets', { DATABASE_URL: adminUrl('peer'), JWKS: jwks, PORT: String(ticketsPort) });
  const gateway = await run('gateway', { TICKETS_URL: `http://127.0.0.1:${ticketsPort}`, PORT: String(port) });
  return { port, pids: [tickets, gateway], database };
}
