import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl, outsideServer, prepareDatabases, type Database } from './databases.ts';
import { runningOn, takeLock } from './lock.ts';
import { startPostgres } from './postgres.ts';
import { secretsOf } from './secrets.ts';
import { StartError } from './start-error.ts';

/**
 * Works on the embedded databases of a data folder: those of the copy that runs on it, or, when none does, on the server
 * started for the time of the work. Its databases are brought up to date first. With `DATABASE_SERVER_URL`: those on that server.
 */
export async function withEmbedded<T>(
  dataDir: string,
  databases: Database[],
  work: (url: (database: string) => string) => Promise<T>,
): Promise<T> {
  const given = process.env['DATABASE_SERVER_URL'];
  if (given) return work(outsideServer(given, secretsOf(dataDir)).url);
  const running = await runningOn(dataDir);
  if (running && !running.postgresPort)
    throw new StartError(`Beltway is just starting on ${dataDir}, try again in a moment.`);
  if (running) return work((name) => databaseUrl(name, running.postgresPort!, secretsOf(dataDir)));

  const folder = join(dataDir, 'postgres');
  if (!existsSync(folder))
    throw new StartError(`There is no data in ${dataDir} yet. Start Beltway once, or set DATA_DIR.`);
  const lock = await takeLock(dataDir);
  if (!('release' in lock)) throw new StartError(`Beltway is just starting on ${dataDir}, try again in a moment.`);
  try {
    const secrets = secretsOf(dataDir);
    const server = await startPostgres({
      folder,
      logFile: join(dataDir, 'logs', 'postgres.log'),
      password: secrets.POSTGRES_PASSWORD,
      durable: true,
    });
    try {
      const url = (name: string) => databaseUrl(name, server.port, secrets);
      await prepareDatabases(databases, { adminUrl: server.url('postgres'), url, folder, prefix: '' }, secrets).all;
      return await work(url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

/** Runs a script's body: a mistake of the person who called it is a line, not a stack. */
export async function script(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}
