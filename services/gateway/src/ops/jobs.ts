import { Router } from 'express';
import {
  Discarded,
  FailedQueues,
  JobService,
  MAX_RETRY_BYTES,
  OpsDiscardBody,
  OpsRetryBody,
  Retried,
  type OpsJobs,
} from '@beltway/contracts/ops/jobs';
import type { Authenticator } from '@beltway/kit/auth';
import { internalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Config } from '../config.ts';
import type { Backends } from '../proxy/backends.ts';
import type { Audit } from './audit.ts';
import { jsonOf } from './json.ts';
import { plainCause } from './without-people.ts';

const TIMEOUT_MS = 6_000;
const MAX_CAUSE = 300;

interface Options {
  config: Config;
  backends: Backends;
  auth: Pick<Authenticator, 'role'>;
  audit: Audit;
  log: Logger;
}

/**
 * Failed jobs of all services: admins list them with their causes, retry them and discard them
 * (docs/operations/ops-page.md).
 */
export function jobRoutes({ config, backends, auth, audit, log }: Options): Router {
  const admin = auth.role('admin');
  const client = (service: JobService) => internalClient(backends[service], config.INTERNAL_TOKEN, TIMEOUT_MS);

  async function failedOf(service: JobService) {
    const { queues } = FailedQueues.parse(await client(service).get('/internal/jobs'));
    return queues.map(({ jobs, ...queue }) => ({
      ...{ service, ...queue },
      jobs: jobs.map((job) => ({ ...job, cause: plainCause(job.cause, MAX_CAUSE) })),
    }));
  }
  async function look(): Promise<OpsJobs> {
    const found = await Promise.allSettled(JobService.options.map(failedOf));
    const missing = JobService.options.filter((_, at) => found[at]!.status === 'rejected');
    if (missing.length > 0) log.warn({ services: missing }, 'not every service returned its failed jobs');
    return { queues: found.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])), missing };
  }
  let looking: ReturnType<typeof look> | undefined;

  const router = Router();

  /** 200 OpsJobs. Concurrent requests share one call to each service. */
  router.get('/api/ops/jobs', admin, async (_req, res) => {
    looking ??= look().finally(() => (looking = undefined));
    res.set('cache-control', 'no-store').json(await looking);
  });

  /** 200 Retried: how many jobs run again, or 0 if another admin was first. The audit entry is written first. */
  router.post('/api/ops/jobs/retry', admin, async (req, res) => {
    const { service, queue, key } = OpsRetryBody.parse(await jsonOf(req, MAX_RETRY_BYTES));
    await audit({ req, res }, 'jobs-retried', `${service} ${queue}`, key ?? 'all');
    const body = { queue, ...(key !== undefined && { key }) };
    const retried = Retried.parse(await client(service).post('/internal/jobs/retry', body));
    res.set('cache-control', 'no-store').json(retried);
  });

  /** 200 Discarded: how many jobs were discarded, or 0 if another admin was first. The audit entry is written first. */
  router.post('/api/ops/jobs/discard', admin, async (req, res) => {
    const { service, queue, key } = OpsDiscardBody.parse(await jsonOf(req, MAX_RETRY_BYTES));
    await audit({ req, res }, 'jobs-discarded', `${service} ${queue}`, key);
    const discarded = Discarded.parse(await client(service).post('/internal/jobs/discard', { queue, key }));
    res.set('cache-control', 'no-store').json(discarded);
  });
  return router;
}
