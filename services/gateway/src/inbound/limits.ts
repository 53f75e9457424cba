import type { RequestHandler } from 'express';
import { addressOf, limitHeaders, quota, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import { comparable } from './target.ts';

/**
 * Per sender and minute. A visitor's page makes 10 to 40 requests and a purchase about six; a campus or an office shares one address.
 * Tight where guessing or flooding pays (ASVS 5.0 V2.4.1); identity counts sign-ins per account besides.
 */
const points = { 'sign-in': 60, upload: 30, buy: 240, write: 240, read: 3_000 };
export type RouteClass = keyof typeof points;

/** The class a request is counted in; undefined: not limited here (webhooks are signed, the page's files are cheap). */
export function classOf(method: string, path: string): RouteClass | undefined {
  const route = comparable(path);
  if (route === '/api/stripe/webhook' || !/^\/(api|sandbox|socket\.io)(\/|$)/.test(route)) return undefined;
  if (/^\/api\/auth\/(login|register)$/.test(route)) return 'sign-in';
  if (method === 'POST' && route === '/api/images') return 'upload';
  if (
    method === 'POST' &&
    /^\/api\/(holds|order-keys|create-ticket-payment-intent|process-ticket-purchase)(\/|$)/.test(route)
  )
    return 'buy';
  // The page talks to the socket and to the card form's server by POST as well; both count for themselves.
  if (!route.startsWith('/api')) return 'read';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

export interface Limits {
  limit: RequestHandler;
  /** For holds, which do not pass through Express. */
  buy: { limit: Quota; take: (address: string) => Promise<Taken> };
  /** Counts one more WebSocket from an address, as a read. */
  upgrade: (address: string) => Promise<Taken>;
}

/** With Redis, all gateways count together. */
export function rateLimits(redis?: Redis): Limits {
  const classes = new Map(
    Object.entries(points).map(([name, perMinute]) => {
      const limit: Quota = { name, points: perMinute, perSeconds: 60 };
      return [name as RouteClass, { limit, take: quota(limit, redis) }];
    }),
  );
  return {
    limit: async (req, res, next) => {
      const counted = classes.get(classOf(req.method, req.path) as RouteClass);
      if (!counted) return next();
      const taken = await counted.take(addressOf(req));
      for (const [name, value] of limitHeaders(counted.limit, taken)) res.setHeader(name, value);
      if (!taken.allowed) throw tooManyRequests(taken);
      next();
    },
    buy: classes.get('buy')!,
    upgrade: (address) => classes.get('read')!.take(address),
  };
}
