import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { asInstances, fetchFrom, type Instances } from './instances.ts';
import { HttpProblem, forbidden } from './problems.ts';

/** Lets only our own services in: they share a token, and the gateway routes nothing to these paths. */
export function internalOnly(token: string): RequestHandler {
  const expected = Buffer.from(token);
  return (req, _res, next) => {
    const given = Buffer.from(req.get('x-internal-token') ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw forbidden('Only Beltway itself may call this.');
    next();
  };
}

export interface InternalClient {
  /** Answers the parsed JSON body; an error answer becomes an HttpProblem with the same code, no answer a transient fault. */
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
}

/** Too busy, or away: asking again later is right. */
const PASSING = [429, 502, 503, 504];

/** What an error says of itself; nothing when it comes from something in between that speaks no JSON. */
function problemIn(text: string): { code?: string; detail?: string } {
  try {
    return (JSON.parse(text) ?? {}) as { code?: string; detail?: string };
  } catch {
    return {};
  }
}

/**
 * Calls another service of ours, one of its instances that are ready: bounded in time, sent again only where that is safe
 * (`fetchFrom`); beyond that the caller knows whether it may.
 */
export function internalClient(target: string | Instances, token: string, timeoutMs = 8_000): InternalClient {
  const instances = asInstances(target);
  const call = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await fetchFrom(instances, path, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'x-internal-token': token, 'content-type': 'application/json' },
    });
    const text = await response.text();
    if (response.ok) return text ? (JSON.parse(text) as unknown) : undefined;
    const { status, statusText } = response;
    const { code = 'internal', detail = statusText } = problemIn(text);
    const problem = new HttpProblem(status, code, detail, status === 503 ? { retryAfter: 2 } : {});
    throw Object.assign(problem, { transient: PASSING.includes(status) });
  };
  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
