import { Router } from 'express';
import type { Bus } from '@beltway/kit/bus';
import { canWait, failures, readinessNow, type Checks } from '@beltway/kit/health';
import type { Authenticator } from '@beltway/kit/auth';
import { noInstance, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import type { Redis } from '@beltway/kit/redis';
import { fetchService } from '@beltway/kit/service-tls';
import type { Config } from '../config.ts';
import { present, type Backends } from '../proxy/backends.ts';
import { alertRoutes } from './alerts.ts';
import { auditBy } from './audit.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { invariantRoutes } from './invariants.ts';
import { jobRoutes } from './jobs.ts';
import { configRoutes } from './public-config.ts';
import { serviceRoutes } from './services.ts';
import { timelineRoutes } from './timelines.ts';

const answersReady = async (service: string, url: string): Promise<void> => {
  const signal = AbortSignal.timeout(1_900);
  const answer = await fetchService(service, new URL('/health/ready', url), { signal, redirect: 'error' });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answers ${answer.status}`);
};

/** Resolves if at least one instance is ready. Otherwise rejects with the error of the first instance. */
const oneIsReady = ({ all, service }: Instances): Promise<void> =>
  Promise.any(all.map((url) => answersReady(service, url))).catch(({ errors }: AggregateError) =>
    Promise.reject((errors[0] as Error | undefined) ?? noInstance()),
  );

interface Options {
  config: Config;
  backends: Backends;
  auth: Authenticator;
  /** The readiness checks of this gateway instance. */
  ownChecks: Checks;
  bus: Bus;
  log: Logger;
  redis?: Redis | undefined;
  /** The sampling ratio of traces. Undefined: no traces are recorded. */
  tracesRatio?: number | undefined;
}

/**
 * Routes that the gateway itself handles: overall health, public settings, invariants on live data, and the ops page.
 */
export function opsRoutes({ config, backends, auth, ownChecks, bus, log, redis, tracesRatio }: Options): Router {
  const checks = present(backends).map(([name, instances]) => [name, () => oneIsReady(instances)] as const);
  const gateway = async () => {
    const { ready, failed } = await readinessNow(ownChecks);
    if (!ready) throw new Error(Object.values(failed).join(' '));
  };
  const look = () => failures({ gateway, ...Object.fromEntries(checks) });
  const audit = auditBy(config, backends);
  let looking: ReturnType<typeof look> | undefined;

  const router = Router();
  router.get('/api/health/live', (_req, res) => void res.set('cache-control', 'no-store').json({ status: 'live' }));

  /** 200 when every service is ready; 503 with the names of the services that are not. */
  router.get('/api/health/ready', async (_req, res) => {
    looking ??= look().finally(() => (looking = undefined));
    const failed = await looking;
    const ready = Object.keys(failed).length === 0;
    if (!ready) res.set('retry-after', '1');
    res
      .status(ready ? 200 : 503)
      .set('cache-control', 'no-store')
      .json({ status: ready ? 'ready' : 'not ready', ...(ready ? {} : { failed }) });
  });

  router.use(
    configRoutes(config, backends, tracesRatio),
    invariantRoutes({ config, backends, auth, audit, redis }),
    serviceRoutes(backends, auth, { ...ownChecks, bus: canWait(() => bus.healthy()) }),
    deadLetterRoutes({ bus, backends, auth, audit }),
    jobRoutes({ config, backends, auth, audit, log }),
    timelineRoutes({ config, backends, auth, audit, log }),
    alertRoutes(config, backends, auth),
  );
  return router;
}
