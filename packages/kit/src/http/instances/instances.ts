import { faultCode, wasCutOff, wasNotReached } from './connection-faults.ts';
import type { Logger } from '../../observe/logger.ts';
import { followName, isNamed, type Lookup } from './addresses.ts';
import { probe } from './probe.ts';
import { rendezvous } from './rendezvous.ts';
import { fetchService } from './service-tls.ts';

/** The instances of one service that this process currently knows. */
export interface Instances {
  /** The name of the service. Its certificate contains the name too (`service-tls.ts`). */
  readonly service: string;
  /** Base URLs of all known instances, from the configuration or DNS. A new array after each change. */
  readonly all: readonly string[];
  /**
   * Selects the next ready instance that is not in `except`, round-robin. If no instance is ready, selects an instance
   * that responds (a busy or stopping instance), otherwise any instance, so that the caller gets a clear error.
   * Undefined if there is no other instance.
   */
  pick(except?: ReadonlySet<string>): string | undefined;
  /**
   * The instance for a key. It is the same for all callers that see the same instances ready. If affinity is off, works
   * like `pick`.
   */
  forKey(key: string | number): string | undefined;
  /** The id (`instance-id.ts`) that the instance at this address last reported. */
  idOf(url: string): string | undefined;
  /**
   * Must be called when an instance could not be reached. The instance gets no requests until it reports ready again.
   */
  failed(url: string): void;
  /** Resolves once DNS was queried and all known instances were probed, after six seconds at the latest. */
  readonly started: Promise<void>;
  /** Ends the probes and DNS lookups. */
  stop(): void;
}

export interface InstancesOptions {
  /** The service's name, as in its readiness response. */
  service: string;
  /**
   * Base URLs. A URL with an IP address is one instance; a URL with a name means all IP addresses of that name in DNS.
   */
  urls: readonly string[];
  log?: Logger | undefined;
  /** `off` (BELTWAY_SALE_ROUTING): keys are spread over all instances. Only for measurements. */
  affinity?: 'on' | 'off';
  /** Pause between two probes of an instance, in ms. */
  probeMs?: number;
  /**
   * A probe that takes longer counts as not ready, in ms. `probeMs` and this timeout together bound how long a hanging
   * instance keeps its keys.
   */
  timeoutMs?: number;
  /** Pause between two DNS lookups, in ms. */
  lookupMs?: number;
  /** A resolver to use instead of the system's. */
  lookup?: Lookup | undefined;
}

/** False for a single IP address, because it always stays the only instance. */
export const mayBeSeveral = (urls: readonly string[]): boolean => new Set(urls).size > 1 || urls.some(isNamed);

/** State of an address. */
interface Known {
  isReady: boolean;
  /** True if the instance responded to the last probe, even if late. */
  isReached: boolean;
  /**
   * True if the address belongs to the service, by configuration or by its own report. Other addresses get no requests.
   * Undefined: not known yet.
   */
  isOurs: boolean | undefined;
  id: string | undefined;
  failedAt: number;
  timer?: NodeJS.Timeout;
}

/**
 * Probes each instance repeatedly (200 of `/health/ready`). An instance that fails its probe, hangs or cannot be
 * reached is skipped until it is ready. An address that reports another service, or no service, gets no requests at
 * all. Configured addresses count as ready until their first probe; a single address is not probed.
 *
 * DNS provides the addresses; probes determine which are ready (docs/decisions/0058). An address that DNS no longer
 * lists is removed if it is not ready, or once a listed address is ready. While DNS returns no addresses, all known
 * addresses stay.
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
  /** Lists of candidates for requests. The first nonempty list is used. */
  let preferred: ReadonlyArray<readonly string[]> = [];
  let nodeOf = rendezvous([]);
  let turn = 0;
  let stopped = false;

  /** Removes addresses that DNS no longer lists and that are not needed (see above). */
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

  /** Must be called after each change of `known` or `named`. */
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
    const says = await probe(service, url, timeoutMs);
    if (stopped || known.get(url) !== one) return;
    if (typeof says === 'string')
      return change(url, one, { isReady: false, isReached: says === 'late', isOurs: one.isOurs });
    const isOurs = says.service === service;
    if (isOurs) one.id = says.id;
    else if (one.isOurs !== false)
      log?.warn({ service, instance: url, answers: says.service }, 'an address does not belong to this service');
    // The response to a probe that was sent before the failure is outdated.
    const isNew = asked > one.failedAt;
    change(url, one, { isReady: isOurs && says.isReady && isNew, isReached: isNew, isOurs });
  }

  /** Collects the first probes; undefined after `started`. */
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
    service,
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

/** Turns a base URL into `Instances`, for callers of a service with one instance. The name defaults to the host. */
export const asInstances = (target: string | Instances, service?: string): Instances =>
  typeof target === 'string' ? instances({ service: service ?? new URL(target).hostname, urls: [target] }) : target;

/** The error when no instance is known. Callers treat it like an instance that cannot be reached. */
export const noInstance = (): Error => Object.assign(new Error('no instance is known'), { code: 'ENOTFOUND' });

/** The code of an error from `fetch`, which wraps its cause, or from `node:http`, which does not. */
const codeOf = (error: unknown): string => {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return faultCode(cause) || faultCode(error);
};

/**
 * Sends to a ready instance (`first`, if given). If that instance cannot be reached, sends to another instance.
 * Requests without side effects are also repeated if the connection was cut. `send` receives the base URL. If all
 * attempts fail, throws the last error of `send`.
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

/** `sendTo` with `fetch`. */
export const fetchFrom = (instances: Instances, path: string, init: RequestInit, first?: string): Promise<Response> =>
  sendTo(instances, (url) => fetchService(instances.service, new URL(path, url), init), {
    changes: (init.method ?? 'GET') !== 'GET',
    first,
  });
