import { z } from 'zod';
import { optionalField } from '../common/basics.ts';

/** A job that was given up. */
export const FailedJob = z.object({
  key: z.string(),
  attempts: z.int(),
  queuedAt: z.iso.datetime(),
  failedAt: z.iso.datetime(),
  /** What the last attempt failed of, without what may be personal. */
  cause: z.string(),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** A queue with jobs that were given up; `jobs`: the oldest of them. */
export const FailedQueue = z.object({ queue: z.string(), failed: z.int(), jobs: z.array(FailedJob) });
export type FailedQueue = z.infer<typeof FailedQueue>;

/** GET /internal/jobs of a service. */
export const FailedQueues = z.object({ queues: z.array(FailedQueue) });
export type FailedQueues = z.infer<typeof FailedQueues>;

/** POST /internal/jobs/retry of a service: one job, or all of a queue. */
export const RetryBody = z.strictObject({
  queue: z.string().min(1).max(100),
  key: optionalField(z.string().min(1).max(1_000)),
});
export type RetryBody = z.infer<typeof RetryBody>;
export const Retried = z.object({ count: z.int() });
export type Retried = z.infer<typeof Retried>;

/** Services that have queues. */
export const JobService = z.enum(['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime']);
export type JobService = z.infer<typeof JobService>;

/** GET /api/ops/jobs. `missing`: services that did not answer. */
export const OpsJobs = z.object({
  queues: z.array(FailedQueue.extend({ service: JobService })),
  missing: z.array(JobService),
});
export type OpsJobs = z.infer<typeof OpsJobs>;

/** POST /api/ops/jobs/retry. */
export const OpsRetryBody = RetryBody.extend({ service: JobService });
export type OpsRetryBody = z.infer<typeof OpsRetryBody>;
export const MAX_RETRY_BYTES = 8_192;
