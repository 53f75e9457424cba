import { Pool, types, type PoolClient, type PoolConfig } from 'pg';
import { connection, Overloaded } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';
import { transactionEnded } from './after-commit.ts';
import { watchPool } from './pool-metrics.ts';

/** Anything that runs a query: the pool, or a client inside a transaction. */
export type Queryable = Pick<PoolClient, 'query'>;

/** A day of the calendar stays the text "2026-11-21"; `pg` would make it the midnight where the process runs. */
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === types.builtins.DATE ? (day: string) => day : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/**
 * One pool per service. Every wait is bounded: a pool that gives out no connection for 3 s, or a statement that takes 10 s,
 * is an error the caller sees, never a request that hangs. So is every queue: who would be the 501st to wait for a connection gets
 * `Overloaded` at once. `name`: of the pool, in the metrics.
 */
export function openPool(
  url: string,
  options: Omit<PoolConfig, 'log'> & { log?: Logger; maxWaiting?: number; name?: string } = {},
): Pool {
  const { log, maxWaiting = 500, name = 'main', options: settings, ...config } = options;
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    // Each costs the server 3 MB; one is kept, so that the first request after a silence need not sign in.
    idleTimeoutMillis: 10_000,
    min: 1,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    types: { getTypeParser },
    ...connection(settings),
    ...config,
  });
  // Without a listener a broken connection ends the process.
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  watchPool(pool, name);
  boundQueue(pool, maxWaiting);
  return pool;
}

/** `pg` bounds how long one waits, not how many: `query` and Prisma come by `connect` as well. */
function boundQueue(pool: Pool, maxWaiting: number): void {
  type ConnectCallback = Parameters<Pool['connect']>[0];
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<PoolClient>;
  const bounded = (callback?: ConnectCallback) => {
    if (pool.waitingCount < maxWaiting) return connect(callback);
    if (!callback) return Promise.reject(new Overloaded());
    return callback(new Overloaded(), undefined, () => undefined);
  };
  pool.connect = bounded as Pool['connect'];
}

/** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
export async function transaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    // Postgres answers ROLLBACK, and no error, when an error inside was swallowed.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('An error inside the transaction was swallowed; nothing was committed.');
    transactionEnded(client, true);
    return result;
  } catch (error) {
    transactionEnded(client, false);
    await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}
