import { createHash } from 'node:crypto';
import { wasCutOff, wasNotReached } from './connection-faults.ts';
import type { Logger } from '../../observe/logger.ts';
import { rendezvous } from './rendezvous.ts';

/** The instances of one service, as this process sees them now. */
export interface Instances {
  /** Base URLs as they were given. */
  readonly all: readonly string[];
  /** One that is ready, each in its turn; none but those in `except`. When none is ready, one all the same: its caller gets a clear error. */
  pick(except?: ReadonlySet<string>): string | undefined;
  /** The one instance for this key, the same for everybody who sees the same instances ready. With affinity off: as `pick`. */
  forKey(key: string | number): string | undefined;
  /** Tells that it could not be reached: it gets nothing more until it says that it is ready. */
  failed(url: string): void;
  /** Ends the probing. */
  stop(): void;
}

export interface InstancesOptions {
  /** Base URLs, one per instance. */
  urls: readonly string[];
  log?: Logger;
  /** `off` (BELTWAY_SALE_ROUTING): keys are spread over all instances. For measuring only. */
  affinity?: 'on' | 'off';
  /** Pause between two questions to an instance. */
  probeMs?: number;
  /** Who says nothing for so long is not ready. With `probeMs`, how long an instance that hangs keeps what is its. */
  timeoutMs?: number;
  readyPath?: string;
}

/**
 * Asks each instance again and again whether it is ready (200 of `/health/ready`); one that says no, hangs or cannot be reached
 * is left out until it says yes. All count as ready until first asked. A single instance is not asked at all.
 */
export function instances(options: InstancesOptions): Instances {
  const { urls, log, affinity = 'on', probeMs = 300, timeoutMs = 1_000, readyPath = '/health/ready' } = options;
  const all = [...new Set(urls)].sort();
  const failedAt = new Map<string, number>();
  let ready: readonly string[] = all;
  let nodeOf = rendezvous(all);
  let turn = 0;

  const change = (url: string, isReady: boolean) => {
    if (ready.includes(url) === isReady) return;
    ready = all.filter((one) => (one === url ? isReady : ready.includes(one)));
    nodeOf = rendezvous(ready.length > 0 ? ready : all);
    log?.info(
      { instance: url, ready: ready.length, of: all.length },
      isReady ? 'an instance is ready' : 'an instance is not ready',
    );
  };

  const probe = async (url: string) => {
    const asked = performance.now();
    const isReady = await saysReady(new URL(readyPath, url), timeoutMs);
    // What it said before it could not be reached is no news.
    if (!isReady || asked > (failedAt.get(url) ?? -1)) change(url, isReady);
  };

  let stopped = false;
  const timers = new Map<string, NodeJS.Timeout>();
  const watch = async (url: string): Promise<void> => {
    await probe(url);
    if (!stopped) timers.set(url, setTimeout(() => void watch(url), probeMs).unref());
  };
  if (all.length > 1) for (const url of all) void watch(url);

  const pick: Instances['pick'] = (except) => {
    const among = except ? ready.filter((url) => !except.has(url)) : ready;
    const left = among.length > 0 ? among : except ? all.filter((url) => !except.has(url)) : all;
    if (!except) turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    return left[turn % left.length];
  };

  return {
    all,
    pick,
    forKey: (key) => (affinity === 'off' ? pick() : nodeOf(key)),
    failed: (url) => {
      if (all.length < 2) return;
      failedAt.set(url, performance.now());
      change(url, false);
    },
    stop: () => {
      stopped = true;
      timers.forEach(clearTimeout);
    },
  };
}

/** What a caller may pass where a service runs once: its base URL. */
export const asInstances = (target: string | Instances): Instances =>
  typeof target === 'string' ? instances({ urls: [target] }) : target;

async function saysReady(url: URL, timeoutMs: number): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Of `fetch`, which wraps what happened, or of `node:http`, which does not. */
const codeOf = (error: unknown): string => {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown }; code?: unknown };
  return String(cause?.code ?? code ?? '');
};

/**
 * Sends to one of the instances that are ready (`first`, if given), and to another one when that cannot be reached. What changes
 * nothing is also sent again when its connection was cut off. `send` gets the base URL; throws what it threw last.
 */
export async function sendTo<Answer>(
  { pick, failed }: Instances,
  send: (url: string | undefined) => Promise<Answer>,
  { changes, first }: { changes: boolean; first?: string | undefined },
): Promise<Answer> {
  const tried = new Set<string>();
  for (let url = first ?? pick(); ;) {
    try {
      return await send(url);
    } catch (error) {
      const code = codeOf(error);
      const mayRepeat = wasNotReached(code) || (wasCutOff(code) && !changes);
      if (!mayRepeat || url === undefined) throw error;
      if (wasNotReached(code)) failed(url);
      url = pick(tried.add(url));
      if (url === undefined) throw error;
    }
  }
}

/** `sendTo` by `fetch`. */
export const fetchFrom = (instances: Instances, path: string, init: RequestInit, first?: string): Promise<Response> =>
  sendTo(instances, (url) => fetch(new URL(path, url), init), { changes: (init.method ?? 'GET') !== 'GET', first });

/** A short name of an instance that can be shown to anybody: from its base URL, without telling it. */
export const instanceTag = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 12);
