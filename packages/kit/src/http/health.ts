import { Router } from 'express';
import { gauges } from '../observe/metrics.ts';
import { instanceId } from './instances/instance-id.ts';

/** Checks, keyed by name. A check throws or returns false if its dependency is not usable. */
export type Checks = Record<string, () => unknown>;

const mayBeAway = new WeakSet<() => unknown>();
/**
 * Marks a check whose dependency may be down for a while: the response names the dependency, but its status stays 200.
 * For example, without the bus people can still buy, and messages arrive later. If every instance became unready
 * instead, no one could buy.
 */
export function canWait(check: () => unknown): () => unknown {
  mayBeAway.add(check);
  return check;
}

let draining = false;
/** True while this instance is stopping. */
export const isDraining = (): boolean => draining;
/** Makes readiness fail from now on. This is the first step of a shutdown. */
export const failReadiness = (): void => void (draining = true);

/** Resolves with the result of `work`; rejects after `ms`. */
export const within = <T>(ms: number, work: T | Promise<T>): Promise<T> =>
  Promise.race([
    Promise.resolve(work),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref()),
  ]);

/** Runs every check for at most two seconds. Returns the failed checks with their reasons. */
export async function failures(checks: Checks, checkMs = 2_000): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return (await within(checkMs, check())) === false ? [name, 'not ready'] : undefined;
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)];
      }
    }),
  );
  return Object.fromEntries(results.filter((entry) => entry !== undefined));
}

/** Whether this instance is ready, and which checks fail. */
export async function readinessNow(checks: Checks): Promise<{ ready: boolean; failed: Record<string, string> }> {
  const failed = draining ? { shutdown: 'this instance is stopping' } : await failures(checks);
  const ready = Object.keys(failed).every((name) => checks[name] !== undefined && mayBeAway.has(checks[name]));
  return { ready, failed };
}

/** Shorter than a scrape waits for a gauge, so that a hanging check is exported as 0 instead of being omitted. */
const GAUGE_CHECK_MS = 1_500;
let shown: { service: string; isStarted: boolean; checks: Checks } | undefined;

/** Begins to export the gauge `ready` of this service. The gauge's part `start` is 0 until `showStarted` is called. */
export const showStarting = (service: string): void => void (shown = { service, isStarted: false, checks: {} });
export const showStarted = (): void => void (shown && (shown.isStarted = true));

/** A stopping instance exports its parts unchanged, because a rollout is not a fault. */
gauges(
  { ready: 'Whether a part of an instance works, 1 or 0; the part `start` is 0 until it listens' },
  ['service', 'part'],
  async () => {
    if (!shown) return [];
    const { service, isStarted, checks } = shown;
    const failed = await failures(checks, GAUGE_CHECK_MS);
    const parts = {
      start: isStarted,
      ...Object.fromEntries(Object.keys(checks).map((part) => [part, !(part in failed)])),
    };
    return Object.entries(parts).map(([part, works]) => ({
      labels: { service, part },
      values: { ready: works ? 1 : 0 },
    }));
  },
);

/**
 * `GET /health/live`: the process runs. `GET /health/ready`: the process can do its work. The response is 503 while the
 * instance is draining or if a required check fails. The response names the service and the instance, so that callers
 * detect when an address belongs to another service or instance (`instances.ts`).
 */
export function healthRoutes(checks: Checks, service: string, instance = instanceId): Router {
  if (shown) shown.checks = checks;
  const router = Router();
  router.get('/health/live', (_req, res) => void res.json({ status: 'live' }));
  router.get('/health/ready', async (_req, res) => {
    const { ready, failed } = await readinessNow(checks);
    if (!ready) res.setHeader('retry-after', '1');
    res.status(ready ? 200 : 503).json({
      status: ready ? 'ready' : 'not ready',
      service,
      instance,
      ...(Object.keys(failed).length > 0 && { failed }),
    });
  });
  return router;
}
