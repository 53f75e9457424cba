import type { Request, RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './problems.ts';

export interface Limit {
  /** Names the class: two limits of one name share their counters. */
  name: string;
  points: number;
  perSeconds: number;
  /** Who is counted; default the address the request came from. */
  key?: (req: Request) => string;
}

/** The address the gateway saw (it overwrites the header), or the socket's own. */
export const addressOf = (req: Request): string =>
  req.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? req.socket.remoteAddress ?? 'unknown';

/** 429 with Retry-After beyond `points` in `perSeconds`. Counted in this process; Redis counts for all instances later. */
export function rateLimit({ name, points, perSeconds, key = addressOf }: Limit): RequestHandler {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  return async (req, res, next) => {
    try {
      const { remainingPoints } = await limiter.consume(key(req));
      res.setHeader('ratelimit', `"${name}";r=${remainingPoints};t=${perSeconds}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
      throw new HttpProblem(429, 'too-many-requests', `Too many requests. Please try again in ${seconds} seconds.`, {
        retryAfter: seconds,
      });
    }
    next();
  };
}
