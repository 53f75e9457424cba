import { Router } from 'express';
import { gauges } from '../observe/metrics.ts';
import { instanceId } from './instances/instance-id.ts';

/** Name → a check that throws (or answers false) while this part is not usable. */
export type Checks = Record<string, () => unknown>;

const mayBeAway = new WeakSet<() => unknown>();
/**
 * A part that can be away for a while: the answer names it and stays 200. With the bus away people still buy, and hear of it later;
 * taking every instance out of service would turn late news into no sales.
 */
export function canWait(check: () => unknown): () => unknown {
  mayBeAway.add(check);
  return check;
}

let draining = false;
/** Whether this instance is stopping. */
export const isDraining = (): boolean => draining;
/** From now on this instance says it is not ready: the first step of a shutdown. */
export const failReadiness = (): void => void (draining = true);

/** What the work gives; rejects when that takes longer. */
export const within = <T>(ms: number, work: T | Promise<T>): Promise<T> =>
  Promise.race([
    Promise.resolve(work),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref()),
  ]);

/** Runs every check, each for two seconds at most; answers which failed and why. */
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

/** Whether this instance can do its work, and which parts do not answer. */
export async function readinessNow(checks: Checks): Promise<{ ready: boolean; failed: Record<string, string> }> {
  const failed = draining ? { shutdown: 'this instance is stopping' } : await failures(checks);
  const ready = Object.keys(failed).every((name) => checks[name] !== undefined && mayBeAway.has(checks[name]));
  return { ready, failed };
}

/** Less than a scrape waits for a gauge: a check without an answer must show 0, not nothing. */
const GAUGE_CHECK_MS = 1_500;
let shown: { service: string; isStarted: boolean; checks: Checks } | undefined;

/** The gauge `ready` names this service from now on; its part `start` is 0 until `showStarted`. */
export const showStarting = (service: string): void => void (shown = { service, isStarted: false, checks: {} });
export const showStarted = (): void => void (shown && (shown.isStarted = true));

/** A stopping instance shows its parts unchanged: a rollout is no fault. */
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
 * `GET /health/live`: the process runs. `GET /health/ready`: it can do its work (503 while draining or when a check fails that cannot
 * wait), and which instance of which service this is: so callers know that an address is still theirs (`instances.ts`).
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
