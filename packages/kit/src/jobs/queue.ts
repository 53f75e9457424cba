import { sql, type Expression } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { prepared, type Queries } from '@beltway/event-store';
import { currentSpan, traced } from '@beltway/tracing';
import { backoff } from '../backoff.ts';
import type { Logger } from '../observe/logger.ts';
import { counter } from '../observe/metrics.ts';
import { startPolling, type Poller } from '../polling.ts';
import { kyselyFor } from '../postgres/kysely.ts';
import { transaction } from '../postgres/pool.ts';

const kysely = kyselyFor<object>();

const runs = counter('job_runs_total', 'Runs of jobs that happen later, by how they ended', ['queue', 'outcome']);

/**
 * A kind of deferred work, stored in the table `jobs` of the service's database (`packages/kit/migrations/jobs`). A job
 * runs at least once: after a crash it runs again when its lease has expired.
 */
export interface Queue<Data extends object> {
  name: string;
  /**
   * A job fails permanently after this many failures. The job's row stays with the error, and `npm run jobs` can run
   * the job again.
   */
  maxAttempts: number;
  /** The pause in ms after the given number of failures; jittered by up to a quarter. */
  pauseMs: (failures: number) => number;
  /** Duration of a job's lease, renewed while it runs. */
  leaseSeconds: number;
  /** Maximum number of jobs that run concurrently in one process. */
  concurrency: number;
  /** True if a finished job keeps its row, without data, so that its key never runs again. */
  keepsDone: boolean;
  /** Never set; the field only carries the type of the data. */
  readonly data?: Data;
}

/** A queue of mails: twenty attempts within about ten hours, one mail at a time. */
export const mailQueue = <Data extends object>(
  name: string,
  more: Partial<Omit<Queue<Data>, 'name' | 'data'>> = {},
): Queue<Data> => ({
  name,
  ...{ maxAttempts: 20, pauseMs: backoff(5_000, 3_600_000), leaseSeconds: 120, concurrency: 1, keepsDone: false },
  ...more,
});

/** The priority of a mail. An urgent mail, for which a person waits, is sent before all others of its queue. */
export const mailPriority = (isUrgent: boolean): number => (isUrgent ? 0 : 1);

export interface Job<Data> {
  key: string;
  data: Data;
  /** Number of attempts, including the current attempt. */
  attempts: number;
  createdAt: Date;
  /** Aborted when the process stops, or when the lease is lost and the job runs in another process. */
  signal: AbortSignal;
}

/** The outcome of a job that did not fail. */
export interface Settled<Data> {
  /** Writes the result in the transaction that ends the job. The transaction is rolled back if the lease was lost. */
  write?: (tx: PoolClient) => Promise<unknown>;
  /** Seconds until the job runs again. Running again does not count as a failure. */
  againAfter?: number;
  /** The job's new data. The row of a finished job keeps this data, or none. */
  data?: Data;
}

/**
 * Thrown when a precondition is missing: the job is retried after at least this many seconds, without a warning. Counts
 * as an attempt.
 */
export class NotYet extends Error {
  readonly seconds: number;
  constructor(message: string, seconds = 0) {
    super(message);
    this.seconds = seconds;
  }
}
/** Thrown when no further attempt can succeed. */
export class GiveUp extends Error {}

export interface NewJob<Data> {
  key: string;
  data: Data;
  afterSeconds?: number;
  /** Due jobs with lower numbers run first. Default 0. */
  priority?: number;
  /** The trace that the job continues. Default: the current trace. */
  traceparent?: string | undefined;
}

const INSERT = `insert into jobs (queue, key, data, run_at, priority, traceparent)
  select $1, n.key, n.data, now() + make_interval(secs => n.after), n.priority, n.traceparent
  from unnest($2::text[], $3::jsonb[], $4::float8[], $5::smallint[], $6::text[]) n (key, data, after, priority, traceparent)`;
const ONCE = 'on conflict (queue, key) do nothing';
/** SQL condition that is true while a job is running. */
export const RUNS = '(jobs.lease is not null and jobs.run_at > now())';
const repeated = (runAt: string, againAt: string) =>
  `on conflict (queue, key) do update set data = excluded.data, status = 'waiting', attempts = 0,
  run_at = case when ${RUNS} then jobs.run_at else ${runAt} end, again_at = case when ${RUNS} then ${againAt} end,
  lease = case when ${RUNS} then jobs.lease end, priority = excluded.priority, last_error = null, traceparent = excluded.traceparent,
  ended_at = null`;
const AGAIN = repeated('excluded.run_at', 'excluded.run_at');
/** A running job may have missed what this job is queued for, or may fail, so it runs again immediately. */
const SOONEST = repeated(
  `case when jobs.status = 'waiting' then least(jobs.run_at, excluded.run_at) else excluded.run_at end`,
  'now()',
);

/**
 * Enqueues jobs in the transaction that causes them. A key that is already queued is left unchanged; with `again`, its
 * job runs once more with the new data. If the job is running, the result of that run is discarded, and the next run
 * starts afterwards. With `soonest`, an earlier time of a waiting job is kept. `unless`: an SQL condition for jobs that
 * `again` does not change. `rowCount` is the number of enqueued jobs.
 */
export function enqueue<Data extends object>(
  db: Pick<Queries, 'query'>,
  queue: Queue<Data>,
  jobs: readonly NewJob<Data>[],
  { again = false, unless }: { again?: boolean | 'soonest'; unless?: string } = {},
) {
  const span = currentSpan()?.traceparent;
  const repeat = again === 'soonest' ? SOONEST : AGAIN;
  const conflict = !again ? ONCE : unless === undefined ? repeat : `${repeat} where not (${unless})`;
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

/** Like `enqueue` with `again`, for jobs without data whose keys come from a query's column `key`. */
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
/**
 * Matches only a job that still has this lease. A job that was taken over or erased in the meantime has another lease
 * or no row.
 */
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
  /** Runs all jobs that are due. */
  work(): Promise<void>;
}

/**
 * Runs a queue's jobs when they are due. Calls `rest` after each batch with the batch's duration in ms, and waits until
 * `rest` is done.
 */
export function startQueue<Data extends object>(
  { pool, log, rest }: { pool: Pool; log: Logger; rest?: (workedMs: number) => Promise<void> },
  queue: Queue<Data>,
  perform: (job: Job<Data>) => Promise<Settled<Data> | void>,
): Worker {
  const { name, leaseSeconds, maxAttempts, keepsDone } = queue;
  const stopping = new AbortController();
  for (const outcome of ['done', 'failed']) runs.inc({ queue: name, outcome }, 0);

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
      runs.inc({ queue: name, outcome: 'done' });
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
      // A stopping process releases its jobs, so that other processes can run them immediately.
      if (stopping.signal.aborted) return end(LATER, ours(0, attempts - 1, null, null, 'waiting'));
      const isLast = attempts >= maxAttempts || error instanceof GiveUp;
      const level = isLast ? 'error' : error instanceof NotYet ? 'debug' : 'warn';
      if (!(error instanceof NotYet)) runs.inc({ queue: name, outcome: 'failed' });
      log[level]({ err: error, queue: name, key }, isLast ? 'a job was given up' : 'a job failed and is retried');
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
