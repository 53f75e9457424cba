import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { connection, Overloaded, PLANS } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';

/** Anything that runs a query: the pool, or a client inside a transaction. */
export type Queryable = Pick<PoolClient, 'query'>;

/**
 * One pool per service. Every wait is bounded: a pool that gives out no connection for 3 s, or a statement that takes 10 s,
 * is an error the caller sees, never a request that hangs. So is every queue: who would be the 501st to wait for a connection gets
 * `Overloaded` at once.
 */
export function openPool(
  url: string,
  options: Omit<PoolConfig, 'log'> & { log?: Logger; mostWaiting?: number } = {},
): Pool {
  const { log, mostWaiting = 500, options: settings = PLANS, ...config } = options;
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    // Each costs the server 3 MB; one is kept, so that the first request after a silence need not sign in.
    idleTimeoutMillis: 10_000,
    min: 1,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    ...connection(settings),
    ...config,
  });
  // Without a listener a broken connection ends the process.
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  boundQueue(pool, mostWaiting);
  return pool;
}

/** `pg` bounds how long one waits, not how many: `query` and Prisma come by `connect` as well. */
function boundQueue(pool: Pool, mostWaiting: number): void {
  type Told = Parameters<Pool['connect']>[0];
  const connect = pool.connect.bind(pool) as (told?: Told) => Promise<PoolClient>;
  const bounded = (told?: Told) => {
    if (pool.waitingCount < mostWaiting) return connect(told);
    if (!told) return Promise.reject(new Overloaded());
    return told(new Overloaded(), undefined, () => undefined);
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
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** SQLSTATE: 08 connection, 40 serialization and deadlock, 53 resources, 57 operator intervention (restart, time-out), 58 system error, 55P03 lock, 25P03 idle, 25006 read-only. */
const PASSING_STATE = /^(08|40|53|57|58)\w{3}$|^(55P03|25P03|25006)$/;
/** The same in Prisma's words: not reachable, timed out, connection closed, no connection free, write conflict. */
const PASSING_IN_PRISMA = /^P(1001|1002|1008|1017|2024|2034|2037)$/;

/** Prisma keeps what Postgres said in its `meta`. */
function stateBehindPrisma(error: Error): string {
  const meta =
    'meta' in error
      ? (error.meta as { driverAdapterError?: { cause?: { originalCode?: string } } } | undefined)
      : undefined;
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}

/** True for a statement that was cut off because it took too long (57014): it may do so each time. */
export function tookTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (('code' in error && error.code === '57014') || stateBehindPrisma(error) === '57014') return true;
  return tookTooLong(error.cause);
}

/** True for faults of the infrastructure that pass by themselves: the same work may be tried again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('transient' in error && error.transient === true) return true;
  if (error.name === 'Overloaded' || error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|UND_ERR_)/.test(code)) return true;
  if (PASSING_STATE.test(code) || PASSING_IN_PRISMA.test(code) || PASSING_STATE.test(stateBehindPrisma(error)))
    return true;
  if (
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|fetch failed/.test(
      error.message,
    )
  )
    return true;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  return isTransient(error.cause);
}
