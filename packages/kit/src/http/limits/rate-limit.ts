import type { Request, RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { network, networksOf } from '../callers/network.ts';
import { HttpProblem } from '../problems.ts';
import type { Redis } from '../../redis.ts';

export interface Quota {
  /** Name of the limit. The `RateLimit` headers and the counters' keys contain it. */
  name: string;
  points: number;
  perSeconds: number;
}

export interface Limit extends Quota {
  /** The IP address whose requests are counted. Default `addressOf`. */
  key?: (req: Request) => string;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the window resets, at least 1. */
  resetsIn: number;
}

/**
 * The client's IP address as the gateway saw it (the gateway overwrites the header), otherwise the socket's IP address.
 */
export const addressOf = (req: Request): string =>
  req.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? req.socket.remoteAddress ?? 'unknown';

/** The network that counts as one sender. */
export const senderOf = (req: Request): string => network(addressOf(req));

/**
 * Takes a point from a sender's window, which begins with the sender's first request. An IPv6 sender counts toward its
 * /64, /56 and /48 (`networksOf`). A rejection in the /64 takes no points from the larger networks, which neighbors
 * share. A sender has separate points for each `place`.
 */
export function quota(limit: Quota, redis?: Redis): (address: string, place?: string) => Promise<Taken> {
  if (!redis) {
    const take = localQuota(limit);
    return (address, place) => Promise.resolve(take(address, place));
  }
  const counterOf = byAllowances(limit, (wider) => counter(wider, redis));
  return async (address, place) => {
    const [own, ...wider] = networksOf(address);
    let taken = await counterOf(own!.allowances)(keyOf(own!.name, place));
    for (const { name, allowances } of wider) {
      if (!taken.allowed) break;
      taken = fewer(taken, await counterOf(allowances)(keyOf(name, place)));
    }
    return taken;
  };
}

/** Like `quota`, but counts only in this process, so it returns synchronously. */
export function localQuota(limit: Quota): (address: string, place?: string) => Taken {
  const counterOf = byAllowances(limit, localCounter);
  return (address, place) => {
    const [own, ...wider] = networksOf(address);
    let taken = counterOf(own!.allowances)(keyOf(own!.name, place));
    for (const { name, allowances } of wider) {
      if (!taken.allowed) break;
      taken = fewer(taken, counterOf(allowances)(keyOf(name, place)));
    }
    return taken;
  };
}

const keyOf = (name: string, place?: string) => (place === undefined ? name : `${place} ${name}`);
const fewer = (taken: Taken, there: Taken): Taken =>
  !there.allowed || there.remaining < taken.remaining ? there : taken;

/** The counters of a limit, created on first use. A network with `allowances` gets that many times the points. */
function byAllowances<Counter>(limit: Quota, make: (limit: Quota) => Counter): (allowances: number) => Counter {
  const counters = new Map<number, Counter>();
  return (allowances) => {
    let known = counters.get(allowances);
    if (known === undefined) {
      const name = allowances === 1 ? limit.name : `${limit.name}:${allowances}`;
      known = make({ ...limit, name, points: limit.points * allowances });
      counters.set(allowances, known);
    }
    return known;
  };
}

/**
 * Maximum number of keys that a process counts at a time, which takes about 10 MB. The oldest windows are dropped
 * first.
 */
const MAX_KEYS = 100_000;

/** Takes one of a key's points in a window that begins with the first request. */
function localCounter({ points, perSeconds }: Quota): (key: string) => Taken {
  // Sorted by the beginning of the windows. The windows end in the same order.
  const windows = new Map<string, { taken: number; endsAt: number }>();
  return (key) => {
    // Whole milliseconds. With fractions, rounding errors would make a window of 30 s end in 30.000000000004 s, which
    // would be reported as 31.
    const now = Math.floor(performance.now());
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size <= MAX_KEYS) break;
      windows.delete(oldest);
    }
    let window = windows.get(key);
    if (!window) windows.set(key, (window = { taken: 0, endsAt: now + perSeconds * 1_000 }));
    window.taken++;
    return {
      allowed: window.taken <= points,
      remaining: Math.max(0, points - window.taken),
      resetsIn: Math.max(1, Math.ceil((window.endsAt - now) / 1_000)),
    };
  };
}

/**
 * Takes a point of a key. With Redis, all instances count together. While Redis is down, each instance counts alone
 * from zero, so a limit is at most multiplied by the number of instances.
 */
function counter({ name, points, perSeconds }: Quota, redis: Redis): (key: string) => Promise<Taken> {
  const here = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  const limiter = shared({ name, points, perSeconds }, redis, here);
  const seen = (result: RateLimiterRes, allowed: boolean): Taken => ({
    allowed,
    remaining: Math.max(0, result.remainingPoints),
    resetsIn: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
  });
  return (key) =>
    limiter.consume(key).then(
      (result) => seen(result, true),
      (result: unknown) => {
        if (result instanceof RateLimiterRes) return seen(result, false);
        throw result;
      },
    );
}

function shared({ name, points, perSeconds }: Quota, redis: Redis, here: RateLimiterMemory): RateLimiterRedis {
  return new RateLimiterRedis({
    // The limiter calls only this method of the client. `redis.ask` rejects quickly, so no count waits for an
    // unresponsive Redis.
    storeClient: {
      eval: (script: string, given: { keys: string[]; arguments: string[] }) =>
        redis.ask((client) => client.eval(script, given)),
    },
    useRedisPackage: true,
    keyPrefix: `limit:${name}`,
    points,
    duration: perSeconds,
    insuranceLimiter: here,
    // A sender over the limit is rejected from memory until the window ends, so that a flood does not reach Redis.
    inMemoryBlockOnConsumed: points + 1,
  });
}

export const tooManyRequests = ({ resetsIn }: Taken): HttpProblem =>
  new HttpProblem(429, 'too-many-requests', { params: { seconds: resetsIn }, retryAfter: resetsIn });

/**
 * The remaining quota in the header fields of draft-ietf-httpapi-ratelimit-headers: `r` is the number of requests left,
 * `t` the seconds until all `q` are available again.
 */
export const limitHeaders = (
  { name, points, perSeconds }: Quota,
  taken: Taken,
): Array<[name: string, value: string]> => [
  ['ratelimit-policy', `"${name}";q=${points};w=${perSeconds}`],
  ['ratelimit', `"${name}";r=${taken.remaining};t=${taken.resetsIn}`],
];

/**
 * Returns 429 with Retry-After beyond `points` in `perSeconds`, and sets `RateLimit` on every response. Counts like
 * `quota`.
 */
export function rateLimit({ key = addressOf, ...limit }: Limit, redis?: Redis): RequestHandler {
  const take = quota(limit, redis);
  return async (req, res, next) => {
    const taken = await take(key(req));
    for (const [name, value] of limitHeaders(limit, taken)) res.setHeader(name, value);
    if (!taken.allowed) throw tooManyRequests(taken);
    next();
  };
}
