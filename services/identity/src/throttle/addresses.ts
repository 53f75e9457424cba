import { isIPv6 } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { addressOf as anyAddressOf, rateLimit } from '@beltway/kit/rate-limit';

/** Limits per address; generous, for a whole office or campus may share one. */
export function addressLimits(on: boolean): Record<'register' | 'login', RequestHandler> {
  if (!on) return { register: unlimited, login: unlimited };
  const key = addressOf;
  return {
    register: rateLimit({ name: 'register', points: 60, perSeconds: 10 * 60, key }),
    login: rateLimit({ name: 'login', points: 200, perSeconds: 5 * 60, key }),
  };
}

const unlimited: RequestHandler = (_req, _res, next) => next();

/** Who is asking, for limits. One household has a whole IPv6 /64, so that is what counts. */
export const addressOf = (req: Request): string => network(anyAddressOf(req));

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
