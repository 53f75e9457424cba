import { Router } from 'express';
import type { Bus } from '@beltway/kit/bus';
import { canWait, failures, readinessNow, type Checks } from '@beltway/kit/health';
import type { Authenticator } from '@beltway/kit/auth';
import { noInstance, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import type { Redis } from '@beltway/kit/redis';
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

const answersReady = async (url: string): Promise<void> => {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(1_900), redirect: 'error' });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answers ${answer.status}`);
};

/** Of several instances one is enough; when there is none, the first says why. */
const oneIsReady = ({ all }: Instances): Promise<void> =>
  Promise.any(all.map(answersReady)).catch(({ errors }: AggregateError) =>
    Promise.reject((errors[0] as Error | undefined) ?? noInstance()),
  );

interface Options {
  config: Config;
  backends: Backends;
  auth: Authenticator;
  /** What this instance itself needs to be ready. */
  ownChecks: Checks;
  bus: Bus;
  log: Logger;
  redis?: Redis | undefined;
  /** Of all traces the share that is recorded; undefined: none. */
  tracesRatio?: number | undefined;
}

/** What the gateway answers itself: health of the whole, public settings, the invariants on live data, what the page /ops shows. */
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

  /** 200 when every service can do its work; 503 with the names of those that cannot. */
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
