import { Router } from 'express';
import { InstanceStatus, type InstanceFound, type OpsServices } from '@beltway/contracts/ops/instances';
import { answerBody } from '@beltway/kit/answer-body';
import type { Authenticator } from '@beltway/kit/auth';
import type { Checks } from '@beltway/kit/health';
import type { Instances } from '@beltway/kit/instances';
import { fetchService } from '@beltway/kit/service-tls';
import { instanceStatus } from '@beltway/kit/status';
import { present, type Backends } from '../proxy/backends.ts';
import { jsonIn } from './json.ts';

/** Longer than an instance may take for its own checks. */
const TIMEOUT_MS = 3_500;
/**
 * A status that lists a few hundred consumer groups and log followers fits. The limit guards against an IP address that
 * now belongs to another program.
 */
const MAX_BYTES = 262_144;

const NO_ANSWER = 'It does not answer.';
const NO_STATUS = 'It does not say what it is: another version, or another program.';

async function lookAt(service: string, url: string): Promise<InstanceFound> {
  const address = new URL(url).host;
  try {
    const answer = await fetchService(service, new URL('/health/status', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    const text = answer.ok ? String((await answerBody(answer, MAX_BYTES)) ?? '') : '';
    const status = InstanceStatus.safeParse(jsonIn(text)).data ?? null;
    return { address, status, problem: status ? null : NO_STATUS };
  } catch {
    return { address, status: null, problem: NO_ANSWER };
  }
}

/** The status that each instance of a service reports. */
export const statusesOf = ({ all, service }: Instances): Promise<InstanceFound[]> =>
  Promise.all(all.map((url) => lookAt(service, url)));

/** GET /api/ops/services: the current status of every instance. Concurrent requests share one call to each instance. */
export function serviceRoutes(backends: Backends, auth: Pick<Authenticator, 'role'>, own: Checks): Router {
  const services = present(backends).filter(([service]) => service !== 'sandbox');

  const look = async (): Promise<OpsServices> => ({
    at: new Date().toISOString(),
    services: [
      // All gateways share one address, so each gateway reports only its own status.
      {
        service: 'gateway',
        instances: [{ address: 'this one', status: await instanceStatus(own), problem: null }],
      },
      ...(await Promise.all(
        services.map(async ([service, instances]) => ({ service, instances: await statusesOf(instances) })),
      )),
    ],
  });
  let looking: ReturnType<typeof look> | undefined;

  const router = Router();
  router.get('/api/ops/services', auth.role('admin'), async (_req, res) => {
    looking ??= look().finally(() => (looking = undefined));
    res.set('cache-control', 'no-store').json(await looking);
  });
  return router;
}
