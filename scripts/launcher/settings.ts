import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLoopback } from '@beltway/kit/loopback';
import { parseReplicas, type Replicas } from './services/replicas.ts';
import { StartError } from './start-error.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Settings {
  port: number;
  /** Host at which the public door listens; loopback only. */
  host: string;
  /** All data of this copy: the database, secrets, uploaded files, mails, logs. */
  dataDir: string;
  demo: boolean;
  rateLimits: boolean;
  replicas: Replicas;
  /** Whether to use Kafka and Redis, and to start them here unless they are external. */
  engines: boolean;
  kafkaBrokers: string | undefined;
  redisUrl: string | undefined;
  /**
   * URL of an external PostgreSQL to use instead of the embedded server, with a role that may create databases and
   * roles.
   */
  databaseServer: string | undefined;
  dev: boolean;
  /** Whether all services run in one process, for tests (`one-process.ts`). */
  oneProcess: boolean;
}

/**
 * `DATA_DIR`, relative to the root of the repository. The default is `.data`. With `--engines` the default is another
 * folder, because Beltway then uses another bus.
 */
export const dataDirOf = (env: NodeJS.ProcessEnv = process.env, engines = false): string =>
  resolve(root, env['DATA_DIR'] || (engines ? '.data/engines' : '.data'));

const OPTIONS = ['--dev', '--engines', '--one-process'];

const isOff = (value: string | undefined) => value === '0' || value === 'off' || value === 'false';

export function readSettings(env: NodeJS.ProcessEnv = process.env, args: string[] = process.argv.slice(2)): Settings {
  const port = Number(env['PORT'] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartError(`PORT must be a port number, not "${env['PORT']}"`);
  const unknown = args.filter((arg) => !OPTIONS.includes(arg));
  if (unknown.length > 0) throw new StartError(`Unknown option ${unknown.join(' ')}; there are --dev and --engines`);
  const engines = args.includes('--engines');
  const replicas = parseReplicas(env['BELTWAY_REPLICAS']);
  const oneProcess = args.includes('--one-process');
  if (oneProcess && (args.includes('--dev') || Object.values(replicas).some((count) => count > 1)))
    throw new StartError(
      '--one-process runs each service once, and restarts none: leave out --dev and BELTWAY_REPLICAS',
    );
  const host = env['HOST'] || '127.0.0.1';
  if (!isLoopback(host))
    throw new StartError(
      `HOST=${host} would show others the sample accounts, everybody's mail and the card sandbox. Beltway started like this listens on this machine only: leave HOST out, or use 127.0.0.1, ::1 or localhost.`,
    );
  return {
    port,
    host,
    dataDir: dataDirOf(env, engines),
    demo: !isOff(env['BELTWAY_DEMO']),
    rateLimits: !isOff(env['BELTWAY_RATE_LIMITS']),
    engines,
    kafkaBrokers: env['KAFKA_BROKERS'] || undefined,
    redisUrl: env['REDIS_URL'] || undefined,
    databaseServer: env['DATABASE_SERVER_URL'] || undefined,
    replicas,
    dev: args.includes('--dev'),
    oneProcess,
  };
}
