import type { Pool, PoolClient } from 'pg';
import { gauges, histogram } from '../observe/metrics.ts';

const waits = histogram(
  'pg_pool_wait_seconds',
  'Time until a connection of the pool was given out',
  ['pool'],
  [0.001, 0.01, 0.05, 0.25, 1, 3],
);

const watched = new Map<string, Pool>();

gauges(
  {
    pg_pool_connections: 'Open connections of a pool to PostgreSQL',
    pg_pool_connections_idle: 'Open connections of a pool that are not in use',
    pg_pool_connections_max: 'Connections that a pool may open',
    pg_pool_waiting: 'Callers that wait for a connection of a pool',
  },
  ['pool'],
  () => {
    for (const [name, pool] of watched) if (pool.ended) watched.delete(name);
    return [...watched].map(([name, pool]) => ({
      labels: { pool: name },
      values: {
        pg_pool_connections: pool.totalCount,
        pg_pool_connections_idle: pool.idleCount,
        pg_pool_connections_max: pool.options.max,
        pg_pool_waiting: pool.waitingCount,
      },
    }));
  },
);

type ConnectCallback = Parameters<Pool['connect']>[0];

/**
 * Exports a pool's connections and the wait for them in `/metrics`, until the pool is ended. Wrapping `connect` is
 * enough, because `query` and Prisma use it too.
 */
export function watchPool(pool: Pool, name: string): void {
  watched.set(name, pool);
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<PoolClient>;
  const observe = (since: number) => waits.observe({ pool: name }, (performance.now() - since) / 1_000);
  const timed = (callback?: ConnectCallback) => {
    const since = performance.now();
    if (!callback) return connect().finally(() => observe(since));
    return connect((...answer) => {
      observe(since);
      callback(...answer);
    });
  };
  pool.connect = timed as Pool['connect'];
}
