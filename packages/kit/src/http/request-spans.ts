import type { RequestHandler } from 'express';
import { startSpan, TRACEPARENT, type Span } from '@beltway/tracing';
import { routeOf } from './route-of.ts';

/** Of the request that this answers, where its trace is recorded. */
export const spanOf = (res: { locals: Record<string, unknown> }): Span | undefined =>
  res.locals['span'] as Span | undefined;

/**
 * A span for each request whose caller says that its trace is recorded, named by its route: in a path stand ids, and words that visitors
 * typed. Callers are the gateway and our own services: what a browser says is looked at by the gateway.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  const parent = req.get(TRACEPARENT);
  const span = parent === undefined ? undefined : startSpan(req.method, { parent, kind: 'server' });
  if (!span) return next();
  res.locals['span'] = span;
  res.once('close', () => {
    const { statusCode } = res;
    span.rename(`${req.method} ${routeOf(req)}`);
    span.set({ 'http.request.method': req.method, 'http.response.status_code': statusCode });
    span.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
  });
  next();
};
