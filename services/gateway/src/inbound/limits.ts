import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { addressOf, limitHeaders, quota, tooManyRequests, type Quota, type Taken } from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import type { RateClass } from '../routes/route.ts';
import type { RouteTable } from '../routes/table.ts';

/**
 * Per network and minute. A visitor's page makes 10 to 40 requests and a purchase about six; a campus or an office
 * shares one address. Tight where guessing or flooding pays, and for what costs much (docs/costs.md) (ASVS 5.0 V2.4.1); identity counts sign-ins per account
 * besides.
 */
const points: Record<RateClass, number> = {
  'sign-in': 60,
  upload: 30,
  buy: 240,
  write: 240,
  read: 3_000,
  document: 60,
  report: 240,
  feed: 120,
  'client-error': 20,
  'client-span': 60,
};

export interface Limits {
  limit: RequestHandler;
  /** For holds, which do not pass through Express. */
  buy: { limit: Quota; take: (address: string) => Promise<Taken> };
  /** For reads of a class that the response cache takes; one that it hands on is not counted again. */
  read: (rate: RateClass) => { limit: Quota; take: (req: IncomingMessage, address: string) => Promise<Taken> };
  /** Counts one more WebSocket from an address, as a read. */
  upgrade: (address: string) => Promise<Taken>;
}

/** Counts each request in the class that its route says. With Redis, all gateways count together. */
export function rateLimits(table: RouteTable, redis?: Redis): Limits {
  const classes = Object.fromEntries(
    Object.entries(points).map(([name, perMinute]) => {
      const limit: Quota = { name, points: perMinute, perSeconds: 60 };
      return [name, { limit, take: quota(limit, redis) }];
    }),
  ) as Record<RateClass, Limits['buy']>;
  const counted = new WeakMap<IncomingMessage, Taken>();
  return {
    limit: async (req, res, next) => {
      const rate = table.rateOf(req.method, req.path);
      if (!rate) return next();
      const { limit, take } = classes[rate];
      const taken = counted.get(req) ?? (await take(addressOf(req)));
      for (const [name, value] of limitHeaders(limit, taken)) res.setHeader(name, value);
      if (!taken.allowed) throw tooManyRequests(taken);
      next();
    },
    buy: classes.buy,
    read: (rate) => ({
      limit: classes[rate].limit,
      take: async (req, address) => {
        const taken = await classes[rate].take(address);
        counted.set(req, taken);
        return taken;
      },
    }),
    upgrade: (address) => classes.read.take(address),
  };
}
