import type { Pool } from 'pg';
import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import type { FailedQueue } from '@beltway/contracts/ops/jobs';
import { gauges } from '../observe/metrics.ts';
import type { Queryable } from '../postgres/pool.ts';

const COUNTS = `select queue, count(*) filter (where status = 'waiting')::int as waiting,
    count(*) filter (where status = 'failed')::int as failed,
    coalesce(greatest(extract(epoch from now() - min(run_at) filter (where status = 'waiting')), 0), 0)::float8 as seconds
  from jobs where status in ('waiting', 'failed') group by queue`;

/**
 * Exports a service's queues that have waiting or failed jobs in `/metrics`. Returns a function that stops the export.
 */
export const showQueues = (pool: Pool): (() => void) =>
  gauges(
    {
      jobs_waiting: 'Jobs waiting to run',
      jobs_waiting_seconds: 'Seconds since the oldest waiting job became due',
      jobs_failed: 'Failed jobs, which npm run jobs lists',
    },
    ['queue'],
    async () => {
      const { rows } = await pool.query<{ queue: string; waiting: number; seconds: number; failed: number }>(COUNTS);
      return rows.map(({ queue, waiting, seconds, failed }) => ({
        labels: { queue },
        values: { jobs_waiting: waiting, jobs_waiting_seconds: seconds, jobs_failed: failed },
      }));
    },
  );

export interface FailedJob {
  queue: string;
  key: string;
  attempts: number;
  createdAt: Date;
  failedAt: Date;
  error: string;
}

const MAX_LISTED = 1_000;

/** Failed jobs of one queue or of all queues, oldest first; at most a thousand. */
export async function failedJobs(db: Queryable, queue: string | null = null): Promise<FailedJob[]> {
  const { rows } = await db.query<FailedJob>(
    `select queue, key, attempts, created_at as "createdAt", ended_at as "failedAt", coalesce(last_error, '') as error
     from jobs where status = 'failed' and ($1::text is null or queue = $1) order by ended_at, queue, key limit ${MAX_LISTED}`,
    [queue],
  );
  return rows;
}

/** Maximum number of jobs per queue in the admins' list. */
const MAX_OF_QUEUE = 20;

/** The queues that have failed jobs, each with its oldest failed jobs. */
export async function failedQueues(db: Queryable): Promise<FailedQueue[]> {
  const { rows } = await db.query<FailedJob & { failed: number }>(
    `select queue, failed, key, attempts, created_at as "createdAt", ended_at as "failedAt", coalesce(last_error, '') as error
     from (
       select jobs.*, row_number() over (partition by queue order by ended_at, key) as place,
         count(*) over (partition by queue)::integer as failed
       from jobs where status = 'failed'
     ) placed where place <= ${MAX_OF_QUEUE} order by queue, place`,
  );
  return [...Map.groupBy(rows, ({ queue }) => queue)].map(([queue, jobs]) => ({
    queue,
    failed: jobs[0]!.failed,
    jobs: jobs.map(({ key, attempts, createdAt, failedAt, error }) => ({
      ...{ key, attempts, cause: error },
      ...{ queuedAt: createdAt.toISOString(), failedAt: failedAt.toISOString() },
    })),
  }));
}

/**
 * Selects failed jobs by queue and keys. Without keys, selects all failed jobs of the queue; without a queue, selects
 * all failed jobs.
 */
interface GivenUp {
  queue?: string | null;
  keys?: string[] | null;
}

const change = async (db: Queryable, set: string, { queue = null, keys = null }: GivenUp): Promise<number> => {
  const { rowCount } = await db.query(
    `update jobs set ${set}
     where status = 'failed' and ($1::text is null or queue = $1) and ($2::text[] is null or key = any($2))`,
    [queue, keys],
  );
  return rowCount ?? 0;
};

/** Requeues failed jobs. Returns their number. */
export const retryJobs = (db: Queryable, which: GivenUp): Promise<number> =>
  change(db, `status = 'waiting', attempts = 0, run_at = now(), ended_at = null`, which);

/** Discards jobs that cannot succeed. Discarded jobs count as done and keep their error. Returns their number. */
export const discardJobs = (db: Queryable, which: GivenUp): Promise<number> =>
  change(db, `status = 'done', data = '{}'`, which);

/** The invariant that every service with queues checks. Its examples contain queue and key. */
export async function noJobGivenUp(db: Queryable): Promise<InvariantCheck> {
  const failed = await failedJobs(db);
  return {
    name: 'no job was given up',
    ok: failed.length === 0,
    violations: failed.length,
    examples: failed.slice(0, 10).map(({ queue, key }) => `${queue} ${key}`),
  };
}
