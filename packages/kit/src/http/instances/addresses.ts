import { lookup as askSystem } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Logger } from '../../observe/logger.ts';
import { isOwnTls } from './service-tls.ts';

/** Resolves a name to IP addresses by DNS. Rejects if there is no IP address or no response. */
export type Lookup = (name: string) => Promise<ReadonlyArray<{ address: string; family: number }>>;

/**
 * The system's resolver, which all other connections of the process use too. `Resolver` of `node:dns` does not apply
 * search domains, but Kubernetes needs them to resolve `ticketing` as `ticketing.beltway.svc.cluster.local`.
 */
const systemLookup: Lookup = (name) => askSystem(name, { all: true });

/** After this time, in ms, a lookup counts as failed. The name is not looked up again until the pending lookup ends. */
const SLOW_MS = 5_000;
/**
 * Maximum number of instances of a service. PostgreSQL would run out of connections long before. All callers select the
 * same instances.
 */
const MAX_ADDRESSES = 64;

/**
 * True if DNS should resolve the URL's name to IP addresses. https URLs keep their names, because certificates contain
 * names instead of IP addresses. Exception: the services have certificates of their own.
 */
export function isNamed(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isResolved = protocol === 'http:' || isOwnTls();
  return isResolved && hostname !== 'localhost' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

/**
 * One base URL for each IP address of the URL's name, sorted. Uses only IPv4 if the name has an IPv4 address; otherwise
 * each instance would be listed twice.
 */
async function addressesOf(url: string, lookup: Lookup): Promise<string[]> {
  const { protocol, hostname, port } = new URL(url);
  const found = await lookup(hostname);
  const v4 = found.filter(({ family }) => family === 4);
  const at = (v4.length > 0 ? v4 : found)
    .map(({ address, family }) => `${protocol}//${family === 6 ? `[${address}]` : address}${port && `:${port}`}`)
    // Removes link-local addresses with a zone, such as `fe80::1%eth0`.
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text).origin);
  return [...new Set(at)].sort().slice(0, MAX_ADDRESSES);
}

export interface Following {
  /** Resolves after the first lookup, or after five seconds. */
  asked: Promise<void>;
  stop(): void;
}

/**
 * Resolves a URL's name repeatedly. `found` receives the base URLs of each result that has addresses; `found` is not
 * called for other results (no addresses, an error, a timeout).
 */
export function followName(
  url: string,
  options: { everyMs: number; log?: Logger | undefined; lookup?: Lookup | undefined; found: (urls: string[]) => void },
): Following {
  const { everyMs, log, lookup = systemLookup, found } = options;
  const { hostname } = new URL(url);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let isSilent = false;
  const silent = (error?: unknown) => {
    if (!isSilent && !stopped) log?.warn({ name: hostname, err: error }, 'DNS gives no address; what is known is kept');
    isSilent = true;
  };
  const asked = Promise.withResolvers<void>();

  const ask = async (): Promise<void> => {
    const slow = setTimeout(() => {
      silent(new Error(`no answer in ${SLOW_MS} ms`));
      asked.resolve();
    }, SLOW_MS);
    try {
      const urls = await addressesOf(url, lookup);
      if (urls.length === 0) throw new Error('no address');
      if (isSilent && !stopped) log?.info({ name: hostname }, 'DNS gives addresses again');
      isSilent = false;
      if (!stopped) found(urls);
    } catch (error) {
      silent(error);
    }
    clearTimeout(slow);
    asked.resolve();
    if (!stopped) timer = setTimeout(() => void ask(), everyMs).unref();
  };
  void ask();

  return {
    asked: asked.promise,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
