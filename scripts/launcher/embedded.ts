import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl, outsideServer, prepareDatabases, type Database } from './engines/databases.ts';
import { runningOn, takeLock } from './data-folder/lock.ts';
import { startPostgres, superuserUrl } from './engines/postgres.ts';
import { refuseHalfRestored } from './data-folder/data-dir.ts';
import { secretsOf, type Secrets } from './secrets.ts';
import { StartError } from './start-error.ts';

/**
 * Runs work on the embedded databases of a data folder, after migrating them. Uses the server of the running copy, or
 * starts one for the work. With `DATABASE_SERVER_URL` it uses that server's databases.
 */
export async function withEmbedded<T>(
  dataDir: string,
  databases: Database[],
  work: (url: (database: string) => string) => Promise<T>,
): Promise<T> {
  const given = process.env['DATABASE_SERVER_URL'];
  if (given) return work(outsideServer(given, secretsOf(dataDir)).url);
  return withServer(dataDir, async ({ port, secrets, adminUrl, isOurs }) => {
    const url = (name: string) => databaseUrl(name, port, secrets);
    const folder = join(dataDir, 'postgres');
    if (isOurs) await prepareDatabases(databases, { adminUrl, url, folder, prefix: '' }, secrets).all;
    return work(url);
  });
}

interface EmbeddedServer {
  port: number;
  secrets: Secrets;
  /** URL of the server, with the superuser. */
  adminUrl: string;
  /** Whether the server was started for this work, so that no copy of Beltway uses it. */
  isOurs: boolean;
}

/** Runs work on the embedded server of a data folder: the running server, or a server that is started for the work. */
export async function withServer<T>(dataDir: string, work: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const starting = `Beltway is just starting on ${dataDir}, try again in a moment.`;
  const running = await runningOn(dataDir);
  if (running) {
    if (!running.postgresPort) throw new StartError(starting);
    const secrets = secretsOf(dataDir);
    const port = running.postgresPort;
    return work({ port, secrets, adminUrl: superuserUrl('postgres', port, secrets.POSTGRES_PASSWORD), isOurs: false });
  }

  const folder = join(dataDir, 'postgres');
  refuseHalfRestored(dataDir);
  if (!existsSync(folder))
    throw new StartError(`There is no data in ${dataDir} yet. Start Beltway once, or set DATA_DIR.`);
  const lock = await takeLock(dataDir);
  if (!('release' in lock)) throw new StartError(starting);
  try {
    const secrets = secretsOf(dataDir);
    const server = await startPostgres({
      folder,
      logFile: join(dataDir, 'logs', 'postgres.log'),
      password: secrets.POSTGRES_PASSWORD,
      durable: true,
    });
    try {
      return await work({ port: server.port, secrets, adminUrl: server.url('postgres'), isOurs: true });
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}
