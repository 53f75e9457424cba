import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Server } from '../support/database.ts';

export interface Pgbench {
  program: string;
  env: NodeJS.ProcessEnv;
  /** Which one it is, for the report. */
  name: string;
}

const cache = join(import.meta.dirname, '..', '..', '.cache', 'pgbench');

/** PostgreSQL's own load program: from `PGBENCH`, the path, a Debian installation, or fetched from Debian into `.cache`. */
export function findPgbench(say: (line: string) => void): Pgbench {
  const named = (program: string, env: NodeJS.ProcessEnv = process.env): Pgbench => ({
    program,
    env,
    name: `${execFileSync(program, ['--version'], { env, encoding: 'utf8' }).trim()} (${program})`,
  });
  const found = [
    process.env['PGBENCH'],
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pgbench')),
    ...versionsIn('/usr/lib/postgresql'),
  ].find((program) => program && existsSync(program));
  if (found) return named(found);

  const unpacked = () => versionsIn(join(cache, 'usr', 'lib', 'postgresql'))[0];
  if (!unpacked()) fetchFromDebian(say);
  const program = unpacked();
  if (!program)
    throw new Error('There is no pgbench: install postgresql-contrib, or say where it is by PGBENCH=/path/to/pgbench');
  const libraries = readdirSync(join(cache, 'usr', 'lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(cache, 'usr', 'lib', name));
  return named(program, { ...process.env, LD_LIBRARY_PATH: libraries.join(delimiter) });
}

/** As `<folder>/<version>/bin/pgbench`, the newest first. */
const versionsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(folder, version, 'bin', 'pgbench'))
        .filter((program) => existsSync(program))
    : [];

/** The package is unpacked, not installed: nothing outside of `.cache` changes. */
function fetchFromDebian(say: (line: string) => void): void {
  mkdirSync(cache, { recursive: true });
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: cache, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const names = run('apt-cache', 'search', '--names-only', '^postgresql-[0-9]+$');
    const newest = [...names.matchAll(/^postgresql-(\d+)/gm)]
      .map(([, version]) => Number(version))
      .sort((a, b) => b - a)[0];
    if (!newest) return;
    say(`fetching pgbench from Debian's package postgresql-${newest}`);
    run('apt-get', 'download', `postgresql-${newest}`, 'libpq5');
    for (const file of readdirSync(cache).filter((name) => name.endsWith('.deb'))) run('dpkg-deb', '-x', file, '.');
  } catch (error) {
    say(`pgbench could not be fetched: ${(error as Error).message}`);
  }
}

export interface PgbenchRun {
  database: string;
  /** SQL of one transaction, in pgbench's language. */
  script: string;
  clients: number;
  seconds: number;
}

export interface PgbenchResult {
  perSecond: number;
  averageMs: number;
}

/** Runs a script by so many clients with prepared statements; the time to connect does not count. */
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
  // It gives no rate for a second in which the disk answered nobody.
  const none = /actually processed: 0$/m.test(output);
  const perSecond = none ? 0 : Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  const averageMs = Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1]);
  if (!(perSecond >= 0)) throw new Error(`pgbench failed:\n${output}`);
  return { perSecond, averageMs };
}
