import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import {
  addressOf,
  limitHeaders,
  localQuota,
  quota,
  tooManyRequests,
  type Quota,
  type Taken,
} from '@beltway/kit/rate-limit';
import type { Redis } from '@beltway/kit/redis';
import type { RateClass } from '../routes/route.ts';
import type { RouteTable } from '../routes/table.ts';

/**
 * Maximum requests per network and minute. A visit to the frontend makes 10 to 40 requests and a purchase about six; a
 * campus or an office shares one IP address. The limits are tight for expensive calls (docs/costs.md) and for calls
 * where guessing or flooding pays off (ASVS 5.0 V2.4.1). Identity also counts sign-ins per account.
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

interface ReadLimit {
  limit: Quota;
  take: (req: IncomingMessage, address: string) => Promise<Taken>;
  /** Counts synchronously. Exists only when this process does not share its counters. */
  takeNow: ((address: string) => Taken) | undefined;
}

export interface Limits {
  limit: RequestHandler;
  /** Counts holds, which do not pass through Express. */
  buy: { limit: Quota; take: (address: string) => Promise<Taken> };
  /** Counts reads that the response cache answers. A read that the cache passes on to Express is not counted again. */
  read: (rate: RateClass) => ReadLimit;
  /** Counts a WebSocket of an IP address as a read. */
  upgrade: (address: string) => Promise<Taken>;
}

/** Counts each request in the rate class of its route. With Redis, all gateways share the counters. */
export function rateLimits(table: RouteTable, redis?: Redis): Limits {
  const classes = Object.fromEntries(
    Object.entries(points).map(([name, perMinute]) => {
      const limit: Quota = { name, points: perMinute, perSeconds: 60 };
      if (redis) return [name, { limit, take: quota(limit, redis), takeNow: undefined }];
      const takeNow = localQuota(limit);
      return [name, { limit, takeNow, take: (address: string) => Promise.resolve(takeNow(address)) }];
    }),
  ) as Record<RateClass, Limits['buy'] & Pick<ReadLimit, 'takeNow'>>;
  const counted = new WeakMap<IncomingMessage, Taken>();
  const reads = Object.fromEntries(
    Object.entries(classes).map(([name, { limit, take, takeNow }]): [string, ReadLimit] => [
      name,
      {
        limit,
        takeNow,
        take: async (req, address) => {
          const taken = await take(address);
          counted.set(req, taken);
          return taken;
        },
      },
    ]),
  ) as Record<RateClass, ReadLimit>;
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
    read: (rate) => reads[rate],
    upgrade: (address) => classes.read.take(address),
  };
}
