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
  /** Its name, as the instances of others know it. */
  service: string;
  log: Logger;
  /** What must answer for this instance to be ready; name → check. */
  checks?: Checks;
  /** Largest JSON body in bytes. Default 100 kB. */
  bodyLimit?: number;
  /** Requests at a time; more are answered 503 at once. Default 1,000: what waits longer than about a second behind the rest is of no use. */
  maxConcurrent?: number;
  /** Mounts the routes. Raw-body routes (webhooks, uploads) must come first, in `beforeJson`; they take `enter` when they have read the body. */
  routes: (app: Express) => void;
  beforeJson?: (app: Express, enter: RequestHandler) => void;
  /** How long a body may take, beside what it gains by arriving. Default 10 s. */
  bodyMs?: number;
  /** Default: the id of this process. */
  instance?: string | undefined;
}

/** Bodies that may be on their way to a service at once, of 100 kB each but for the few that may be larger. */
const MAX_ARRIVING = 1_000;

/** What still waited for a body whose request was answered 408 has nothing more to say. */
const answeredBefore: ErrorRequestHandler = (error, _req, res, next) => {
  if (!res.writableEnded) next(error);
};

/** Request id, one log line per request with its correlation id, JSON bodies within limits, problem+json for every error. */
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
  // Where a body was read, the span that the request came in was left.
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

/** The gateway's id for a request, from its header; one of our own when it has none that is well formed. */
export const requestIdFrom = (header: string | undefined): string =>
  header?.match(/^[\w-]{8,64}$/)?.[0] ?? randomUUID();

/** The address that a sign-in names, for the security log if it is refused. */
export const noteTypedAccount = (res: { locals: Record<string, unknown> }, email: string): void =>
  void (res.locals['typedAccount'] = email);
const typedAccountOf = (res: { locals: Record<string, unknown> }) => res.locals['typedAccount'] as string | undefined;

/** The id that ties everything one request causes together. */
export const requestIdOf = (res: { locals: Record<string, unknown> }): string =>
  String(res.locals['requestId'] ?? randomUUID());
