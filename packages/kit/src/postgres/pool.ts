import { Pool, types, type PoolClient, type PoolConfig } from 'pg';
import { connection, Overloaded } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';
import { transactionEnded } from './after-commit.ts';
import { watchPool } from './pool-metrics.ts';

/** An object that runs queries: the pool, or a client in a transaction. */
export type Queryable = Pick<PoolClient, 'query'>;

/** Keeps a date as the text "2026-11-21", because `pg` would convert it to midnight in the process's time zone. */
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === types.builtins.DATE ? (day: string) => day : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/**
 * Opens a service's pool. Every wait is limited: the caller gets an error after waiting 3 s for a connection, or if a
 * statement takes 10 s, so no request hangs. The queue is limited too: the 501st waiting caller gets `Overloaded`
 * immediately. `name`: label in the metrics.
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
    // Idle connections are closed, because each costs the server 3 MB. One is kept, so that the first request after a
    // quiet time need not connect.
    idleTimeoutMillis: 10_000,
    min: 1,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    types: { getTypeParser },
    ...connection(settings),
    ...config,
  });
  // Without a listener, a broken connection would terminate the process.
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  watchPool(pool, name);
  boundQueue(pool, maxWaiting);
  return pool;
}

/**
 * Limits the queue of a pool, because `pg` limits only the wait. Wrapping `connect` is enough, because `query` and
 * Prisma use it too.
 */
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

/** Runs `work` in a transaction: commits when it resolves, rolls back when it throws. */
export async function transaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    // If an error inside the transaction was caught and ignored, PostgreSQL responds to COMMIT with ROLLBACK instead of
    // an error.
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
