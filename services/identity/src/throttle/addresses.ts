import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from '@beltway/kit/problems';

/** Fixed windows; generous, for a whole office or campus may share an address. */
const LIMITS = {
  register: { points: 60, duration: 10 * 60 },
  login: { points: 200, duration: 5 * 60 },
};

/** Limits per address, in this process. Throws 429 with `Retry-After` when the window is used up. */
export function addressLimits(on: boolean) {
  const limiters = {
    register: new RateLimiterMemory({ keyPrefix: 'register', ...LIMITS.register }),
    login: new RateLimiterMemory({ keyPrefix: 'login', ...LIMITS.login }),
  };
  return async (what: keyof typeof LIMITS, address: string): Promise<void> => {
    if (!on) return;
    try {
      await limiters[what].consume(address);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new HttpProblem(429, 'too-many-requests', 'Too many requests from your network. Please try again later.', {
        retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
      });
    }
  };
}

export type AddressLimits = ReturnType<typeof addressLimits>;

/**
 * Who is asking, for limits: the last entry of `x-forwarded-for`, which the gateway writes (it drops what a client sent), else the
 * connection's own. One household has a whole IPv6 /64, so that is what counts.
 */
export function addressOf(req: Request): string {
  const forwarded = req.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return network(forwarded || req.socket.remoteAddress || 'unknown');
}

export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
