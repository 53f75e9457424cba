import { z } from 'zod';
import { optionalField } from '../common/basics.ts';

/** A job whose queue gave up after its last attempt. */
export const FailedJob = z.object({
  key: z.string(),
  attempts: z.int(),
  queuedAt: z.iso.datetime(),
  failedAt: z.iso.datetime(),
  /** Error of the last attempt, without parts that may be personal data. */
  cause: z.string(),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** A queue with failed jobs. `jobs`: the oldest failed jobs. */
export const FailedQueue = z.object({ queue: z.string(), failed: z.int(), jobs: z.array(FailedJob) });
export type FailedQueue = z.infer<typeof FailedQueue>;

/** GET /internal/jobs of a service. */
export const FailedQueues = z.object({ queues: z.array(FailedQueue) });
export type FailedQueues = z.infer<typeof FailedQueues>;

/** POST /internal/jobs/retry of a service: retries one job, or all failed jobs of a queue. */
export const RetryBody = z.strictObject({
  queue: z.string().min(1).max(100),
  key: optionalField(z.string().min(1).max(1_000)),
});
export type RetryBody = z.infer<typeof RetryBody>;
export const Retried = z.object({ count: z.int() });
export type Retried = z.infer<typeof Retried>;

/** POST /internal/jobs/discard of a service: discards a job that can never succeed. */
export const DiscardBody = z.strictObject({ queue: z.string().min(1).max(100), key: z.string().min(1).max(1_000) });
export const Discarded = z.object({ count: z.int() });
export type Discarded = z.infer<typeof Discarded>;

/** Services that have queues. */
export const JobService = z.enum(['identity', 'catalog', 'ticketing', 'payments', 'media', 'realtime']);
export type JobService = z.infer<typeof JobService>;

/** GET /api/ops/jobs. `missing`: services that did not respond. */
export const OpsJobs = z.object({
  queues: z.array(FailedQueue.extend({ service: JobService })),
  missing: z.array(JobService),
});
export type OpsJobs = z.infer<typeof OpsJobs>;

/** POST /api/ops/jobs/retry. */
export const OpsRetryBody = RetryBody.extend({ service: JobService });
export type OpsRetryBody = z.infer<typeof OpsRetryBody>;
/** POST /api/ops/jobs/discard. */
export const OpsDiscardBody = DiscardBody.extend({ service: JobService });
export type OpsDiscardBody = z.infer<typeof OpsDiscardBody>;
export const MAX_RETRY_BYTES = 8_192;
