import { sql, type Expression } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { prepared, type Queries } from '@beltway/event-store';
import { currentSpan, traced } from '@beltway/tracing';
import { backoff } from '../backoff.ts';
import type { Logger } from '../observe/logger.ts';
import { startPolling, type Poller } from '../polling.ts';
import { kyselyFor } from '../postgres/kysely.ts';
import { transaction } from '../postgres/pool.ts';

const kysely = kyselyFor<object>();

/**
 * One kind of work that happens later, in the table `jobs` of the service's database (`packages/kit/migrations/jobs`). It runs at least
 * once: after a crash it runs again when its lease has ended.
 */
export interface Queue<Data extends object> {
  name: string;
  /** A job with this many failures is given up: it stays in the table with its error, and `npm run jobs` runs it again. */
  maxAttempts: number;
  /** The pause in milliseconds after this number of failures; up to a quarter is added or taken away. */
  pauseMs: (failures: number) => number;
  /** How long a job belongs to the process that runs it. Renewed while it runs. */
  leaseSeconds: number;
  /** How many jobs one process runs at a time. */
  concurrency: number;
  /** Whether a job that is done keeps its row, without its data, so that its key never runs again. */
  keepsDone: boolean;
  /** Only names the type of `data`. */
  readonly data?: Data;
}

/** A queue of mails: twenty attempts within some ten hours, one mail at a time. */
export const mailQueue = <Data extends object>(
  name: string,
  more: Partial<Omit<Queue<Data>, 'name' | 'data'>> = {},
): Queue<Data> => ({
  name,
  ...{ maxAttempts: 20, pauseMs: backoff(5_000, 3_600_000), leaseSeconds: 120, concurrency: 1, keepsDone: false },
  ...more,
});

/** A person waits for an urgent mail: it is sent before all others of its queue. */
export const mailPriority = (isUrgent: boolean): number => (isUrgent ? 0 : 1);

export interface Job<Data> {
  key: string;
  data: Data;
  /** This one included. */
  attempts: number;
  createdAt: Date;
  /** Aborted when the process stops and when the lease is lost: the job then runs elsewhere. */
  signal: AbortSignal;
}

/** How a job ends that did not fail. */
export interface Settled<Data> {
  /** Writes the result in the transaction that ends the job, which is rolled back when the lease is no longer ours. */
  write?: (tx: PoolClient) => Promise<unknown>;
  /** Seconds until the job runs again, with no failure counted. */
  againAfter?: number;
  /** Its data from then on. A row that stays after the job is done has this data or none. */
  data?: Data;
}

/** What the job needs is not there yet: it waits at least these seconds, without a warning in the log. It counts as an attempt. */
export class NotYet extends Error {
  readonly seconds: number;
  constructor(message: string, seconds = 0) {
    super(message);
    this.seconds = seconds;
  }
}
/** No further attempt can succeed. */
export class GiveUp extends Error {}

export interface NewJob<Data> {
  key: string;
  data: Data;
  afterSeconds?: number;
  /** Due jobs with lower numbers run first. Default 0. */
  priority?: number;
  /** The trace that the job continues. Default: the present one. */
  traceparent?: string | undefined;
}

const INSERT = `insert into jobs (queue, key, data, run_at, priority, traceparent)
  select $1, n.key, n.data, now() + make_interval(secs => n.after), n.priority, n.traceparent
  from unnest($2::text[], $3::jsonb[], $4::float8[], $5::smallint[], $6::text[]) n (key, data, after, priority, traceparent)`;
const ONCE = 'on conflict (queue, key) do nothing';
/** SQL: whether a job runs. */
export const RUNS = '(jobs.lease is not null and jobs.run_at > now())';
const AGAIN = `on conflict (queue, key) do update set data = excluded.data, status = 'waiting', attempts = 0,
  run_at = case when ${RUNS} then jobs.run_at else excluded.run_at end, again_at = case when ${RUNS} then excluded.run_at end,
  lease = case when ${RUNS} then jobs.lease end, priority = excluded.priority, last_error = null, traceparent = excluded.traceparent,
  ended_at = null`;

/**
 * Queues jobs in the transaction of what causes them. A key that is queued already changes nothing; with `again` the job runs once more with
 * the new data. While it is running, the result of that run is discarded, and the next one starts when it has ended. `unless`: a
 * condition in SQL for jobs that `again` does not change. Returns in `rowCount` how many jobs were queued.
 */
export function enqueue<Data extends object>(
  db: Pick<Queries, 'query'>,
  queue: Queue<Data>,
  jobs: readonly NewJob<Data>[],
  { again = false, unless }: { again?: boolean; unless?: string } = {},
) {
  const span = currentSpan()?.traceparent;
  const conflict = !again ? ONCE : unless === undefined ? AGAIN : `${AGAIN} where not (${unless})`;
  return db.query(
    prepared(`${INSERT} ${conflict}`, [
      queue.name,
      jobs.map(({ key }) => key),
      jobs.map(({ data }) => data),
      jobs.map(({ afterSeconds = 0 }) => afterSeconds),
      jobs.map(({ priority = 0 }) => priority),
      jobs.map(({ traceparent = span }) => traceparent ?? null),
    ]),
  );
}

/** The same for jobs without data, under the keys that a query returns in its column `key`. A key that is queued already runs again. */
export const enqueueKeys = (db: Pick<Queries, 'query'>, { name }: Queue<object>, keys: Expression<{ key: string }>) =>
  sql`insert into jobs (queue, key, traceparent) select ${name}, key, ${currentSpan()?.traceparent ?? null}
    from (${keys}) k order by key ${sql.raw(AGAIN)}`.execute(kysely(db));

const IDLE_MS = 2_000;

interface Claimed {
  key: string;
  data: unknown;
  attempts: number;
  lease: string;
  traceparent: string | null;
  createdAt: Date;
}
const CLAIM = `update jobs set attempts = attempts + 1, run_at = clock_timestamp() + make_interval(secs => $2),
    lease = gen_random_uuid(), again_at = null
  where queue = $1 and key in (
    select key from jobs where queue = $1 and status = 'waiting' and run_at <= now() order by priority, run_at limit $3 for update skip locked)
  returning key, data, attempts, lease, traceparent, created_at as "createdAt"`;
/** A job that was taken over or erased since has another lease, or no row. */
const LEASED = 'where queue = $1 and key = $2 and lease = $3';
const OURS = `${LEASED} and again_at is null`;
const UNTIL = 'clock_timestamp() + make_interval(secs => $4)';
const RENEW = `update jobs set run_at = ${UNTIL} ${LEASED}`;
const RELEASE = `update jobs set run_at = again_at, again_at = null, lease = null ${LEASED}`;
const DELETE = `delete from jobs ${OURS}`;
const KEEP = `update jobs set status = 'done', data = coalesce($4::jsonb, '{}'), lease = null, last_error = null, ended_at = now() ${OURS}`;
const LATER = `update jobs set run_at = ${UNTIL}, attempts = $5, data = coalesce($6, data), last_error = $7, lease = null,
  status = $8, ended_at = case when $8 = 'failed' then now() end ${OURS}`;

export interface Worker extends Poller {
  /** Runs all that is due now. */
  work(): Promise<void>;
}

/** Runs the jobs of a queue as they fall due. `rest` is awaited after each batch, with the milliseconds it took. */
export function startQueue<Data extends object>(
  { pool, log, rest }: { pool: Pool; log: Logger; rest?: (workedMs: number) => Promise<void> },
  queue: Queue<Data>,
  perform: (job: Job<Data>) => Promise<Settled<Data> | void>,
): Worker {
  const { name, leaseSeconds, maxAttempts, keepsDone } = queue;
  const stopping = new AbortController();

  async function run(claimed: Claimed): Promise<void> {
    const { key, lease, attempts, traceparent, data } = claimed;
    const ours = (...rest: unknown[]) => [name, key, lease, ...rest];
    const lost = new AbortController();
    const renewing = setInterval(
      () => {
        pool.query(RENEW, ours(leaseSeconds)).then(
          ({ rowCount }) => rowCount === 0 && lost.abort(),
          (err: unknown) => log.warn({ err, queue: name }, 'the lease of a job was not renewed'),
        );
      },
      (leaseSeconds * 1_000) / 3,
    );
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const attempt = async () => {
      if (attempts > maxAttempts) throw new GiveUp('the process ended during each attempt');
      return perform({ ...claimed, data: data as Data, signal });
    };
    const span = {
      ...(traceparent && { parent: traceparent }),
      kind: 'consumer',
      attributes: { 'beltway.attempt': attempts },
    } as const;
    try {
      const settled = await (traceparent ? traced(`job ${name}`, span, attempt) : attempt());
      await settle(settled ?? {});
    } catch (error) {
      await failed(error);
    } finally {
      clearInterval(renewing);
    }

    function end(text: string, values: unknown[], write?: Settled<Data>['write']) {
      return transaction(pool, async (tx) => {
        const { rowCount } = await tx.query(prepared(text, values));
        if (rowCount === 1) await write?.(tx);
        else await tx.query(prepared(RELEASE, ours()));
      });
    }
    function settle({ write, againAfter, data: next }: Settled<Data>) {
      if (againAfter === undefined)
        return keepsDone ? end(KEEP, ours(next ?? null), write) : end(DELETE, ours(), write);
      return end(LATER, ours(againAfter, 0, next ?? null, null, 'waiting'), write);
    }
    async function failed(error: unknown) {
      // A process that stops gives its jobs back, and others can run them immediately.
      if (stopping.signal.aborted) return end(LATER, ours(0, attempts - 1, null, null, 'waiting'));
      const isLast = attempts >= maxAttempts || error instanceof GiveUp;
      const level = isLast ? 'error' : error instanceof NotYet ? 'debug' : 'warn';
      log[level]({ err: error, queue: name, key }, isLast ? 'a job was given up' : 'a job failed and is tried again');
      const pause = Math.max(
        (queue.pauseMs(attempts) / 1_000) * (0.75 + Math.random() / 2),
        error instanceof NotYet ? error.seconds : 0,
      );
      const why = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      return end(LATER, ours(pause, attempts, null, why, isLast ? 'failed' : 'waiting'));
    }
  }

  async function runBatch(): Promise<boolean> {
    if (stopping.signal.aborted) return false;
    const since = performance.now();
    const { rows } = await pool.query<Claimed>(prepared(CLAIM, [name, leaseSeconds, queue.concurrency]));
    const ended = await Promise.allSettled(rows.map(run));
    for (const one of ended)
      if (one.status === 'rejected')
        log.warn({ err: one.reason as unknown, queue: name }, 'a job runs again after its lease');
    if (rows.length > 0) await rest?.(performance.now() - since);
    return rows.length > 0;
  }

  let last: Promise<unknown> = Promise.resolve();
  const runDue = () => {
    const batch = last.then(runBatch);
    last = batch.catch(() => undefined);
    return batch;
  };
  const polling = startPolling(log, name, IDLE_MS, runDue);
  polling.wake();
  return {
    wake: polling.wake,
    work: async () => {
      while (await runDue());
    },
    stop: () => {
      stopping.abort();
      return polling.stop();
    },
  };
}
