import { randomUUID } from 'node:crypto';
import { inSpan, isTracing } from '@beltway/tracing';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from '../observe/logger.ts';
import { recordRefusal } from '../observe/security-log.ts';
import { lagsNow } from '../bus/lags.ts';
import { arrivingBodies, bodiesInTime } from './bodies/arriving-bodies.ts';
import { healthRoutes, type Checks } from './health.ts';
import '../observe/store-metrics.ts';
import { jsonBody } from './bodies/json-body.ts';
import { limitConcurrency } from './limits/overload.ts';
import { senderOf } from './limits/rate-limit.ts';
import { noSuchRoute, problemCodeOf, problems } from './problems.ts';
import { requestRecorder, routeOf, spanOf, traceRequests } from './request-record.ts';
import { statusRoute } from './status.ts';

export interface AppOptions {
  /** The service's name, which identifies it to instances of other services. */
  service: string;
  log: Logger;
  /** Readiness checks, keyed by name. */
  checks?: Checks;
  /** Maximum size of a JSON body in bytes. Default 100 kB. */
  bodyLimit?: number;
  /**
   * Maximum number of concurrent requests; further requests get 503 immediately. Default 1,000, because a request that
   * waits for more than about a second is useless.
   */
  maxConcurrent?: number;
  /**
   * Mounts the routes. Routes with a raw body (webhooks, uploads) must come first, in `beforeJson`. These routes call
   * `enter` when they have read the body.
   */
  routes: (app: Express) => void;
  beforeJson?: (app: Express, enter: RequestHandler) => void;
  /** Base time limit of a body, in ms; arriving bytes extend it. Default 10 s. */
  bodyMs?: number;
  /** The id of this instance. Default: the id of this process. */
  instance?: string | undefined;
}

/**
 * Maximum number of bodies that arrive concurrently. Each body has up to 100 kB, except for a few bodies that may be
 * larger.
 */
const MAX_ARRIVING = 1_000;

/** Ignores late errors of requests that already got a 408 response. */
const answeredBefore: ErrorRequestHandler = (error, _req, res, next) => {
  if (!res.writableEnded) next(error);
};

/**
 * Creates a service's app. It has request ids, one log line per request with its correlation id, bounded JSON bodies,
 * and problem+json for every error.
 */
export function createServiceApp({
  service,
  log,
  checks = {},
  bodyLimit,
  maxConcurrent = 1_000,
  routes,
  beforeJson,
  bodyMs,
  instance,
}: AppOptions): Express {
  const limit = limitConcurrency(maxConcurrent);
  // Reading a body loses the request's span, so the next handler is run inside the span again.
  const enter: RequestHandler = isTracing()
    ? (req, res, next) => limit(req, res, () => inSpan(spanOf(res), next))
    : limit;
  const arriving = arrivingBodies({ max: MAX_ARRIVING, ...(bodyMs !== undefined && { bodyMs }) });
  const record = requestRecorder(log);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use((req, res, next) => {
    const requestId = requestIdFrom(req.get('x-request-id'));
    res.locals['requestId'] = requestId;
    res.setHeader('x-request-id', requestId);
    const startedAt = performance.now();
    res.on('finish', () => {
      const { method } = req;
      const [route, status] = [routeOf(req), res.statusCode];
      record({ requestId, method, route, status, startedAt, span: spanOf(res) });
      recordRefusal({
        ...{ requestId, route: `${method} ${route}`, status, code: problemCodeOf(res), from: senderOf(req) },
        account: req.caller?.id ?? typedAccountOf(res),
      });
    });
    next();
  });
  if (isTracing()) app.use(traceRequests);
  app.use(healthRoutes(checks, service, instance));
  app.get('/health/status', statusRoute(checks, lagsNow));
  app.use(bodiesInTime(arriving));
  beforeJson?.(app, enter);
  app.use(jsonBody(bodyLimit));
  app.use(enter);
  routes(app);
  app.use(noSuchRoute);
  app.use(answeredBefore);
  app.use(problems(log));
  return app;
}

/** The request id from the gateway's header, or a new id if the header is missing or malformed. */
export const requestIdFrom = (header: string | undefined): string =>
  header?.match(/^[\w-]{8,64}$/)?.[0] ?? randomUUID();

/** Stores the email address of a sign-in for the security log, in case the sign-in is rejected. */
export const noteTypedAccount = (res: { locals: Record<string, unknown> }, email: string): void =>
  void (res.locals['typedAccount'] = email);
const typedAccountOf = (res: { locals: Record<string, unknown> }) => res.locals['typedAccount'] as string | undefined;

/** The request id, which is the correlation id of everything that the request causes. */
export const requestIdOf = (res: { locals: Record<string, unknown> }): string =>
  String(res.locals['requestId'] ?? randomUUID());
