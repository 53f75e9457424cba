import { Router } from 'express';
import type { Pool } from 'pg';
import type { InvariantCheck, InvariantReport } from '@beltway/contracts/ops/invariants';
import { DiscardBody, RetryBody, type Discarded, type FailedQueues, type Retried } from '@beltway/contracts/ops/jobs';
import { internalOnly } from '../http/instances/internal.ts';
import { discardJobs, failedQueues, noJobGivenUp, retryJobs } from '../jobs/given-up.ts';
import type { Secrets } from '../secrets.ts';

export interface JobRoutesOptions {
  pool: Pool;
  internalToken: Secrets;
  /** Returns all invariants of the service. Default: only that no job has failed permanently. */
  invariants?: () => Promise<InvariantCheck[]>;
}

/**
 * Routes for the gateway's admin pages: `GET /internal/jobs` lists failed jobs, `POST /internal/jobs/retry` runs them
 * again, `POST /internal/jobs/discard` discards one job, and `GET /internal/invariants` checks the invariants.
 */
export function jobRoutes({
  pool,
  internalToken,
  invariants = async () => [await noJobGivenUp(pool)],
}: JobRoutesOptions): Router {
  const internal = internalOnly(internalToken);
  const router = Router();
  router.get('/internal/jobs', internal, async (_req, res) => {
    res.json({ queues: await failedQueues(pool) } satisfies FailedQueues);
  });
  router.post('/internal/jobs/retry', internal, async (req, res) => {
    const { queue, key } = RetryBody.parse(req.body);
    const keys = key === undefined ? null : [key];
    res.json({ count: await retryJobs(pool, { queue, keys }) } satisfies Retried);
  });
  router.post('/internal/jobs/discard', internal, async (req, res) => {
    const { queue, key } = DiscardBody.parse(req.body);
    res.json({ count: await discardJobs(pool, { queue, keys: [key] }) } satisfies Discarded);
  });
  router.get('/internal/invariants', internal, async (_req, res) => {
    res.json({ checks: await invariants() } satisfies InvariantReport);
  });
  return router;
}
