import type { RequestHandler } from 'express';
import { rateLimit } from '@beltway/kit/rate-limit';

/** Per address. Generous to people behind one address, tight where guessing or flooding pays (ASVS 5.0 V2.4.1). */
const limits = {
  'sign-in': rateLimit({ name: 'sign-in', points: 60, perSeconds: 60 }),
  upload: rateLimit({ name: 'upload', points: 30, perSeconds: 60 }),
  buy: rateLimit({ name: 'buy', points: 120, perSeconds: 60 }),
  write: rateLimit({ name: 'write', points: 240, perSeconds: 60 }),
  read: rateLimit({ name: 'read', points: 3_000, perSeconds: 60 }),
} satisfies Record<string, RequestHandler>;

export type RouteClass = keyof typeof limits;

/** The class a request is counted in; undefined: not limited here (webhooks are signed, the page's files are cheap). */
export function classOf(method: string, path: string): RouteClass | undefined {
  if (path === '/api/stripe/webhook' || !/^\/(api|sandbox|socket\.io)\//.test(path)) return undefined;
  if (/^\/api\/auth\/(login|register)$/.test(path)) return 'sign-in';
  if (method === 'POST' && path === '/api/images') return 'upload';
  if (method === 'POST' && /^\/api\/(holds|create-ticket-payment-intent|process-ticket-purchase)/.test(path))
    return 'buy';
  return method === 'GET' || method === 'HEAD' ? 'read' : path.startsWith('/api/') ? 'write' : 'read';
}

export const limit: RequestHandler = (req, res, next) => {
  const limited = classOf(req.method, req.path);
  return limited ? limits[limited](req, res, next) : next();
};
