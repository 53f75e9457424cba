import { faultCode, wasCutOff, wasNotReached } from './connection-faults.ts';
import type { Logger } from '../../observe/logger.ts';
import { followName, isNamed, type Lookup } from './addresses.ts';
import { probe } from './probe.ts';
import { rendezvous } from './rendezvous.ts';

/** The instances of one service, as this process sees them now. */
export interface Instances {
  /** Base URLs of all that are known: as they were given, or at the addresses that DNS names. Another array after each change. */
  readonly all: readonly string[];
  /**
   * One that is ready, each in its turn; none but those in `except`. When none is ready, one that can be reached all the same (it may be
   * busy, or stopping and still answer), else any: its caller gets a clear error. Undefined when there is no other.
   */
  pick(except?: ReadonlySet<string>): string | undefined;
  /** The one instance for this key, the same for everybody who sees the same instances ready. With affinity off: as `pick`. */
  forKey(key: string | number): string | undefined;
  /** The id (`instance-id.ts`) that the instance at this address told last. */
  idOf(url: string): string | undefined;
  /** Tells that it could not be reached: it gets nothing more until it says that it is ready. */
  failed(url: string): void;
  /** Resolves when DNS was asked and all that are known were asked for their readiness once, after six seconds at the latest. */
  readonly started: Promise<void>;
  /** Ends the probing, and the questions to DNS. */
  stop(): void;
}

export interface InstancesOptions {
  /** Its name, as its readiness tells it. */
  service: string;
  /** Base URLs. An address is one instance; a name stands for all that DNS answers for it. */
  urls: readonly string[];
  log?: Logger | undefined;
  /** `off` (BELTWAY_SALE_ROUTING): keys are spread over all instances. For measuring only. */
  affinity?: 'on' | 'off';
  /** Pause between two questions to an instance. */
  probeMs?: number;
  /** Who says nothing for so long is not ready. With `probeMs`, how long an instance that hangs keeps what is its. */
  timeoutMs?: number;
  /** Pause between two questions to DNS. */
  lookupMs?: number;
  /** In place of the system's resolver. */
  lookup?: Lookup | undefined;
}

/** False for one address, which is the only instance for good. */
export const mayBeSeveral = (urls: readonly string[]): boolean => new Set(urls).size > 1 || urls.some(isNamed);

/** What is known of an address. */
interface Known {
  isReady: boolean;
  /** It answered last time, if late. */
  isReached: boolean;
  /** It is the service's: by whoever configured it, or by what it said itself. Only then is it sent anything. Undefined: not known yet. */
  isOurs: boolean | undefined;
  id: string | undefined;
  failedAt: number;
  timer?: NodeJS.Timeout;
}

/**
 * Asks each instance again and again whether it is ready (200 of `/health/ready`); one that says no, hangs or cannot be reached
 * is left out until it says yes, and one that names another service, or none, gets nothing at all. Addresses that were given count as
 * ready until first asked; a single one is not asked at all.
 *
 * DNS says which addresses there are, probes say which are good (docs/decisions/0058). An address that DNS no longer names is forgotten
 * when it is not ready, or when one that DNS does name is; while DNS gives no addresses, all that are known stay.
 */
export function instances(options: InstancesOptions): Instances {
  const { service, log, affinity = 'on', probeMs = 300, timeoutMs = 1_000, lookupMs = 2_000, lookup } = options;
  const names = [...new Set(options.urls)].filter(isNamed);
  const given = [...new Set(options.urls)].filter((url) => !isNamed(url));
  const named = new Map<string, readonly string[]>();
  const known = new Map<string, Known>();
  const isProbed = mayBeSeveral(options.urls);
  let all: readonly string[] = [];
  let ready: readonly string[] = [];
  /** Who may be sent something: the first that is not empty is taken. */
  let preferred: ReadonlyArray<readonly string[]> = [];
  let nodeOf = rendezvous([]);
  let turn = 0;
  let stopped = false;

  /** Those that DNS no longer names, and that are not needed: see above. */
  function forgetUnnamed(): void {
    const current = new Set([...given, ...[...named.values()].flat()]);
    const isAnswered = [...current].some((url) => known.get(url)?.isReady);
    for (const [url, { isReady, timer }] of known) {
      if (current.has(url) || (isReady && !isAnswered)) continue;
      clearTimeout(timer);
      known.delete(url);
      log?.info({ service, instance: url, of: known.size }, 'an instance is gone');
    }
  }

  /** After each change of `known` or `named`. */
  function derive(): void {
    forgetUnnamed();
    const which = (test: (one: Known) => boolean | undefined) => all.filter((url) => test(known.get(url)!));
    all = [...known.keys()].sort();
    ready = which(({ isReady }) => isReady);
    preferred = [ready, which(({ isOurs, isReached }) => isOurs && isReached), which(({ isOurs }) => isOurs)];
    nodeOf = rendezvous(preferred.find((some) => some.length > 0) ?? []);
  }

  function change(url: string, one: Known, next: Pick<Known, 'isReady' | 'isReached' | 'isOurs'>): void {
    const { isReady, isReached, isOurs } = next;
    if (one.isReady === isReady && one.isReached === isReached && one.isOurs === isOurs) return;
    const isNews = one.isReady !== isReady;
    Object.assign(one, next);
    derive();
    if (isNews)
      log?.info(
        { service, instance: url, ready: ready.length, of: all.length },
        isReady ? 'an instance is ready' : 'an instance is not ready',
      );
  }

  async function ask(url: string, one: Known): Promise<void> {
    const asked = performance.now();
    const says = await probe(url, timeoutMs);
    if (stopped || known.get(url) !== one) return;
    if (typeof says === 'string')
      return change(url, one, { isReady: false, isReached: says === 'late', isOurs: one.isOurs });
    const isOurs = says.service === service;
    if (isOurs) one.id = says.id;
    else if (one.isOurs !== false)
      log?.warn({ service, instance: url, answers: says.service }, 'an address answers that is not of this service');
    // What it said before it could not be reached is no news.
    const isNew = asked > one.failedAt;
    change(url, one, { isReady: isOurs && says.isReady && isNew, isReached: isNew, isOurs });
  }

  /** Until `started`. */
  let firstProbes: Array<Promise<void>> | undefined = [];
  function add(url: string, isGiven: boolean): void {
    const one: Known = {
      isReady: isGiven,
      isReached: isGiven,
      isOurs: isGiven || undefined,
      id: undefined,
      failedAt: -1,
    };
    known.set(url, one);
    if (!isProbed) return;
    const watch = async (): Promise<void> => {
      await ask(url, one);
      if (!stopped && known.get(url) === one) one.timer = setTimeout(() => void watch(), probeMs).unref();
    };
    const watched = watch();
    firstProbes?.push(watched);
  }

  given.forEach((url) => add(url, true));
  derive();
  const following = names.map((name) =>
    followName(name, {
      everyMs: lookupMs,
      log,
      lookup,
      found: (urls) => {
        named.set(name, urls);
        for (const url of urls) if (!known.has(url)) add(url, false);
        derive();
      },
    }),
  );
  const started = Promise.all(following.map(({ asked }) => asked)).then(async () => {
    await Promise.all(firstProbes ?? []);
    firstProbes = undefined;
  });

  const pick: Instances['pick'] = (except) => {
    const left = (some: readonly string[]) => (except ? some.filter((url) => !except.has(url)) : some);
    const among = preferred.map(left).find((some) => some.length > 0) ?? [];
    if (!except) turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    return among[turn % among.length];
  };

  return {
    get all() {
      return all;
    },
    pick,
    forKey: (key) => (affinity === 'off' ? pick() : nodeOf(key)),
    idOf: (url) => known.get(url)?.id,
    failed: (url) => {
      const one = known.get(url);
      if (!isProbed || one === undefined) return;
      one.failedAt = performance.now();
      change(url, one, { isReady: false, isReached: false, isOurs: one.isOurs });
    },
    started,
    stop: () => {
      stopped = true;
      following.forEach((name) => name.stop());
      known.forEach(({ timer }) => clearTimeout(timer));
    },
  };
}

/** What a caller may pass where a service runs once: its base URL, with its address. */
export const asInstances = (target: string | Instances): Instances =>
  typeof target === 'string' ? instances({ service: target, urls: [target] }) : target;

/** Nobody is known who could be sent anything: for callers the same as an instance that cannot be reached. */
export const noInstance = (): Error => Object.assign(new Error('no instance is known'), { code: 'ENOTFOUND' });

/** Of `fetch`, which wraps what happened, or of `node:http`, which does not. */
const codeOf = (error: unknown): string => {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return faultCode(cause) || faultCode(error);
};

/**
 * Sends to one of the instances that are ready (`first`, if given), and to another one when that cannot be reached. What changes
 * nothing is also sent again when its connection was cut off. `send` gets the base URL; throws what it threw last.
 */
export async function sendTo<Answer>(
  { pick, failed }: Instances,
  send: (url: string) => Promise<Answer>,
  { changes, first }: { changes: boolean; first?: string | undefined },
): Promise<Answer> {
  const tried = new Set<string>();
  let url = first ?? pick();
  if (url === undefined) throw noInstance();
  for (;;) {
    try {
      return await send(url);
    } catch (error) {
      const code = codeOf(error);
      const mayRepeat = wasNotReached(code) || (wasCutOff(code) && !changes);
      if (!mayRepeat) throw error;
      if (wasNotReached(code)) failed(url);
      url = pick(tried.add(url));
      if (url === undefined) throw error;
    }
  }
}

/** `sendTo` by `fetch`. */
export const fetchFrom = (instances: Instances, path: string, init: RequestInit, first?: string): Promise<Response> =>
  sendTo(instances, (url) => fetch(new URL(path, url), init), { changes: (init.method ?? 'GET') !== 'GET', first });
