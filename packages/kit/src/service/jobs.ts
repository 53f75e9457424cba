import { Router } from 'express';
import type { Pool } from 'pg';
import type { InvariantCheck, InvariantReport } from '@beltway/contracts/ops/invariants';
import { RetryBody, type FailedQueues, type Retried } from '@beltway/contracts/ops/jobs';
import { internalOnly } from '../http/instances/internal.ts';
import { failedQueues, noJobGivenUp, retryJobs } from '../jobs/given-up.ts';
import type { Secrets } from '../secrets.ts';

export interface JobRoutesOptions {
  pool: Pool;
  internalToken: Secrets;
  /** All of the service. Default: that no job was given up. */
  invariants?: () => Promise<InvariantCheck[]>;
}

/**
 * What the gateway asks for admins: `GET /internal/jobs`, jobs that were given up; `POST /internal/jobs/retry`, run them again;
 * `GET /internal/invariants`.
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
  router.get('/internal/invariants', internal, async (_req, res) => {
    res.json({ checks: await invariants() } satisfies InvariantReport);
  });
  return router;
}
