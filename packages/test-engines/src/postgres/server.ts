import { randomBytes } from 'node:crypto';
import { startContainer } from '../docker.ts';
import { firstWay } from '../first-way.ts';

/** A PostgreSQL server for throwaway databases. */
export interface TestPostgres {
  /** Describes where the server comes from. */
  what: string;
  /** The URL for the superuser. */
  url: string;
  stop(): Promise<void>;
}

const IMAGE = 'postgres:18';
/**
 * The server is not durable, because test data need not survive a power cut. All other settings are the same as for the
 * embedded server (scripts/launcher/engines/postgres.ts).
 */
const SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
  ...{ shared_buffers: '64MB', max_wal_size: '1GB', max_connections: '200' },
  ...{ max_parallel_workers_per_gather: '0', jit: 'off', io_method: 'sync' },
};

async function startDockerPostgres(): Promise<TestPostgres> {
  const password = randomBytes(16).toString('hex');
  const { what, port, stop } = await startContainer({
    image: IMAGE,
    inner: 5432,
    command: ['postgres', ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    environment: () => ({ POSTGRES_PASSWORD: password }),
    inMemory: ['/var/lib/postgresql'],
    // The message is logged once by the temporary server that initializes the database, and once by the final server.
    ready: { says: 'database system is ready to accept connections', times: 2 },
  });
  return { what, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
}

/** Starts PostgreSQL in a container if a Docker engine responds, otherwise with `embedded`. */
export const startTestPostgres = (embedded: () => Promise<TestPostgres>): Promise<TestPostgres> =>
  firstWay('postgres', [startDockerPostgres, embedded], 'Start Docker, or let npm run its install scripts.');
