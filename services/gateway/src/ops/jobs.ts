import { Router } from 'express';
import {
  FailedQueues,
  JobService,
  MAX_RETRY_BYTES,
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

/** Jobs of all services that were given up, for admins: listed with their causes, run again (docs/operations/ops-page.md). */
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
    if (missing.length > 0) log.warn({ services: missing }, 'not every service answered which jobs were given up');
    return { queues: found.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])), missing };
  }
  let looking: ReturnType<typeof look> | undefined;

  const router = Router();

  /** 200 OpsJobs. Concurrent requests share one look at each service. */
  router.get('/api/ops/jobs', admin, async (_req, res) => {
    looking ??= look().finally(() => (looking = undefined));
    res.set('cache-control', 'no-store').json(await looking);
  });

  /** 200 Retried: how many jobs run again; none where another admin was first. It is recorded first. */
  router.post('/api/ops/jobs/retry', admin, async (req, res) => {
    const { service, queue, key } = OpsRetryBody.parse(await jsonOf(req, MAX_RETRY_BYTES));
    await audit({ req, res }, 'jobs-retried', `${service} ${queue}`, key ?? 'all');
    const body = { queue, ...(key !== undefined && { key }) };
    const retried = Retried.parse(await client(service).post('/internal/jobs/retry', body));
    res.set('cache-control', 'no-store').json(retried);
  });
  return router;
}
