import { lookup as askSystem } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Logger } from '../../observe/logger.ts';

/** Asks DNS for the addresses of a name. Rejects when there are none, or no answer. */
export type Lookup = (name: string) => Promise<ReadonlyArray<{ address: string; family: number }>>;

/**
 * The system's resolver, which every other connection of the process asks too. `Resolver` of `node:dns` would be on its own: it
 * applies no search domains, and `ticketing` in Kubernetes is `ticketing.beltway.svc.cluster.local` by these alone.
 */
const systemLookup: Lookup = (name) => askSystem(name, { all: true });

/** An answer that takes longer counts as none until it comes; the name is not asked again before. */
const SLOW_MS = 5_000;
/** Instances of one service: beyond, PostgreSQL has no connections left long since. Everybody takes the same ones. */
const MAX_ADDRESSES = 64;

/** True when DNS says where this is. A certificate is for a name and not for its addresses, so https is left as it is. */
export function isNamed(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && hostname !== 'localhost' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

/**
 * The base URL at each address of the URL's name, sorted. IPv4 alone where there is any: with both kinds, each instance would be there
 * twice.
 */
async function addressesOf(url: string, lookup: Lookup): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const found = await lookup(hostname);
  const v4 = found.filter(({ family }) => family === 4);
  const at = (v4.length > 0 ? v4 : found)
    .map(({ address, family }) => `http://${family === 6 ? `[${address}]` : address}${port && `:${port}`}`)
    // Not so one of this link alone, `fe80::1%eth0`.
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text).origin);
  return [...new Set(at)].sort().slice(0, MAX_ADDRESSES);
}

export interface Following {
  /** Resolves when the first answer came, or none in five seconds. */
  asked: Promise<void>;
  stop(): void;
}

/**
 * Asks DNS for a URL's name again and again. `found` gets the base URLs of each answer that has addresses; without one (none exist,
 * a fault, silence) it is not called.
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
