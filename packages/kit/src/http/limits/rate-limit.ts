import type { Request, RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { network, networksOf } from '../callers/network.ts';
import { HttpProblem } from '../problems.ts';
import type { Redis } from '../../redis.ts';

export interface Quota {
  /** Names the class, in the `RateLimit` headers and wherever the counters are kept. */
  name: string;
  points: number;
  perSeconds: number;
}

export interface Limit extends Quota {
  /** Whose address is counted; default `addressOf`. */
  key?: (req: Request) => string;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the count begins anew, at least 1. */
  resetsIn: number;
}

/** The address the gateway saw (it overwrites the header), or the socket's own. */
export const addressOf = (req: Request): string =>
  req.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? req.socket.remoteAddress ?? 'unknown';

/** Who is counted as one. */
export const senderOf = (req: Request): string => network(addressOf(req));

/**
 * Takes one of the points a sender has in the window that began with its first. A sender of IPv6 is counted by its /64, and with the others
 * of its /56 and /48 (`networksOf`); what is refused in the narrow network takes nothing from the neighbors in the wide one. In each
 * `place` a sender has points of their own.
 */
export function quota(limit: Quota, redis?: Redis): (address: string, place?: string) => Promise<Taken> {
  const counters = new Map<number, (key: string) => Promise<Taken>>();
  const counterOf = (allowances: number) => {
    const known = counters.get(allowances);
    if (known) return known;
    const name = allowances === 1 ? limit.name : `${limit.name}:${allowances}`;
    const made = counter({ ...limit, name, points: limit.points * allowances }, redis);
    counters.set(allowances, made);
    return made;
  };
  return async (address, place) => {
    const keyOf = (name: string) => (place === undefined ? name : `${place} ${name}`);
    const [own, ...wider] = networksOf(address);
    let taken = await counterOf(own!.allowances)(keyOf(own!.name));
    for (const { name, allowances } of wider) {
      if (!taken.allowed) break;
      const there = await counterOf(allowances)(keyOf(name));
      if (!there.allowed || there.remaining < taken.remaining) taken = there;
    }
    return taken;
  };
}

/**
 * Takes one of a key's points. With Redis all instances count together; while it is away each counts for itself, beginning with nothing: a
 * limit is then at most as many times wider as there are instances.
 */
function counter({ name, points, perSeconds }: Quota, redis?: Redis): (key: string) => Promise<Taken> {
  const here = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  const limiter = redis ? shared({ name, points, perSeconds }, redis, here) : here;
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
    // All it calls of the client; this way no count waits for a Redis that says nothing.
    storeClient: {
      eval: (script: string, given: { keys: string[]; arguments: string[] }) =>
        redis.ask((client) => client.eval(script, given)),
    },
    useRedisPackage: true,
    keyPrefix: `limit:${name}`,
    points,
    duration: perSeconds,
    insuranceLimiter: here,
    // Who is over the limit is refused from memory until the window is over: a flood does not reach Redis.
    inMemoryBlockOnConsumed: points + 1,
  });
}

export const tooManyRequests = ({ resetsIn }: Taken): HttpProblem =>
  new HttpProblem(429, 'too-many-requests', { params: { seconds: resetsIn }, retryAfter: resetsIn });

/** What is left, in the fields of draft-ietf-httpapi-ratelimit-headers: `r` requests, `t` seconds until there are `q` again. */
export const limitHeaders = (
  { name, points, perSeconds }: Quota,
  taken: Taken,
): Array<[name: string, value: string]> => [
  ['ratelimit-policy', `"${name}";q=${points};w=${perSeconds}`],
  ['ratelimit', `"${name}";r=${taken.remaining};t=${taken.resetsIn}`],
];

/** 429 with Retry-After beyond `points` in `perSeconds`; `RateLimit` on every answer. Counted as `quota` counts. */
export function rateLimit({ key = addressOf, ...limit }: Limit, redis?: Redis): RequestHandler {
  const take = quota(limit, redis);
  return async (req, res, next) => {
    const taken = await take(key(req));
    for (const [name, value] of limitHeaders(limit, taken)) res.setHeader(name, value);
    if (!taken.allowed) throw tooManyRequests(taken);
    next();
  };
}
