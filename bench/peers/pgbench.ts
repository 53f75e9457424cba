import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '../support/database.ts';
import { onPath, unpackDebian, unpackedEnv } from '../support/debian.ts';

export interface Pgbench {
  program: string;
  env: NodeJS.ProcessEnv;
  /** Version and path, for the report. */
  name: string;
}

/**
 * Finds PostgreSQL's own load generator: `PGBENCH`, then `PATH`, then a Debian installation, else a download from
 * Debian into `.cache`.
 */
export function findPgbench(say: (line: string) => void): Pgbench {
  const named = (program: string, env: NodeJS.ProcessEnv = process.env): Pgbench => ({
    program,
    env,
    name: `${execFileSync(program, ['--version'], { env, encoding: 'utf8' }).trim()} (${program})`,
  });
  const found = [process.env['PGBENCH'], onPath('pgbench'), ...versionsIn('/usr/lib/postgresql')].find(
    (program) => program && existsSync(program),
  );
  if (found) return named(found);

  const folder = unpackDebian('pgbench', () => [newestServer(), 'libpq5'], say);
  const [program] = versionsIn(join(folder, 'usr', 'lib', 'postgresql'));
  if (!program) throw new Error('There is no pgbench: install postgresql-contrib, or set PGBENCH=/path/to/pgbench');
  return named(program, unpackedEnv(folder));
}

/** Paths `<folder>/<version>/bin/pgbench`, newest version first. */
const versionsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(folder, version, 'bin', 'pgbench'))
        .filter((program) => existsSync(program))
    : [];

/** Debian's newest package of the server, which contains pgbench. */
function newestServer(): string {
  const names = execFileSync('apt-cache', ['search', '--names-only', '^postgresql-[0-9]+$'], { encoding: 'utf8' });
  const versions = [...names.matchAll(/^postgresql-(\d+)/gm)].map(([, version]) => Number(version));
  return `postgresql-${Math.max(...versions)}`;
}

export interface PgbenchRun {
  database: string;
  /** SQL of one transaction, in pgbench's syntax. */
  script: string;
  clients: number;
  seconds: number;
}

export interface PgbenchResult {
  perSecond: number;
  averageMs: number;
}

/** Runs a script with this many clients and prepared statements; the time to connect does not count. */
export async function runPgbench(
  { program, env }: Pgbench,
  server: Server,
  { database, script, clients, seconds }: PgbenchRun,
): Promise<PgbenchResult> {
  const file = join(tmpdir(), `beltway-pgbench-${process.pid}.sql`);
  writeFileSync(file, script);
  const args = ['-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds, '-f', file];
  const where = ['-h', '127.0.0.1', '-p', server.port, '-U', 'postgres', database];
  const child = spawn(program, [...args, ...where].map(String), {
    env: { ...env, PGPASSWORD: server.password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  // pgbench reports no rate for a run that processed no transaction.
  const none = /actually processed: 0$/m.test(output);
  const perSecond = none ? 0 : Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  const averageMs = Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1]);
  if (!(perSecond >= 0)) throw new Error(`pgbench failed:\n${output}`);
  return { perSecond, averageMs };
}
