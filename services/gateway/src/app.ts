import type { RequestListener, Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import { inSpan } from '@beltway/tracing';
import { arrivingBodies } from '@beltway/kit/arriving-bodies';
import type { Authenticator } from '@beltway/kit/auth';
import type { Bus } from '@beltway/kit/bus';
import { limitsOn } from '@beltway/kit/config';
import { healthRoutes, type Checks } from '@beltway/kit/health';
import { internalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { noSuchRoute, problems, sendProblem } from '@beltway/kit/problems';
import type { Redis } from '@beltway/kit/redis';
import { UNREAD_MS } from '@beltway/kit/serve';
import { FROM_THIS_MACHINE, ownNamesOnly, sameOriginOnly, thisMachineOnly } from '@beltway/kit/this-machine';
import type { Config } from './config.ts';
import { answerHold, closeBatches, openHoldBatching } from './hold-batching.ts';
import { accessLog, requestIdOf } from './inbound/access.ts';
import { readBodies } from './inbound/bodies.ts';
import { concurrencyLimits } from './inbound/concurrency.ts';
import { cameDirectly, cleanHeaders } from './inbound/headers.ts';
import { rateLimits } from './inbound/limits.ts';
import { requestSpans } from './inbound/request-spans.ts';
import { METHODS, badTarget } from './inbound/target.ts';
import { unreadAnswers } from './inbound/unread.ts';
import { watchUnusedConnections } from './inbound/unused-connections.ts';
import { documentRoute } from './openapi/document.ts';
import { clientErrorRoutes } from './ops/client-errors.ts';
import { clientSpanRoutes } from './ops/client-spans.ts';
import { fromHere } from './ops/here.ts';
import { opsRoutes } from './ops/ops.ts';
import { assets } from './page/assets.ts';
import { builtPage } from './page/built.ts';
import { compressPublic } from './page/compress.ts';
import { firstScreenRenderer, type FirstScreenLimits } from './page/first-screens.ts';
import { pageRoutes } from './page/page.ts';
import { sitemapRoutes } from './page/sitemap.ts';
import { publicData } from './page/public-data.ts';
import { pagePreloads } from './preloads.ts';
import { present, type Backends } from './proxy/backends.ts';
import type { ProxyTimeouts } from './proxy/connections.ts';
import { openGates, ownCallsInGates } from './proxy/gates.ts';
import { createProxy } from './proxy/proxy.ts';
import { forwardSockets, isWebSocket } from './proxy/sockets.ts';
import type { Route } from './routes/route.ts';
import { responseCache } from './response-cache/response-cache.ts';
import { optionsRoute, publicRoutes, routeTable } from './routes/table.ts';
import { apiHeaders, framedHeaders, securityHeaders } from './security.ts';

/** Small bodies that may arrive concurrently, of at most 100 kB each. */
const MAX_ARRIVING = 1_000;
/** Timeout for one sitemap file, which reads ten thousand events. */
const SITEMAP_MS = 5_000;

export interface Deps {
  config: Config;
  log: Logger;
  auth: Authenticator;
  backends: Backends;
  /** For the admin view of dead letters. */
  bus: Bus;
  /** Shares rate-limit counters among gateways; without Redis each gateway counts alone. */
  redis?: Redis | undefined;
  /** Timeouts for services; shorter in tests. */
  timeouts?: ProxyTimeouts;
  /** Whether this process is overloaded. */
  isBehind?: () => boolean;
  /** Default: every public call. */
  routes?: Route[];
  /** Limits on the time and number of first screens being rendered. */
  firstScreens?: Partial<FirstScreenLimits>;
  /** The response cache's clock, in milliseconds. */
  clock?: () => number;
}

export interface Gateway {
  handler: RequestListener;
  /** Registers WebSocket and `Expect` handlers and client timeouts. Call it before the server listens. */
  attach(server: Server): void;
  /** Closes WebSockets, long polls and unused connections, which would otherwise stay open. */
  drain(): void;
  /** Handles a bus message, which may invalidate cached answers (`response-cache/purge.ts`). */
  hear(message: unknown): void;
  close(): void;
}

/** The public entry: checks and limits requests, routes them and serves the page. It contains no domain rules. */
export function createGateway(deps: Deps): Gateway {
  const { config, log, auth, backends, bus, redis, timeouts, isBehind, routes = publicRoutes } = deps;
  const { TRUSTED_HOPS: trustedHops, PUBLIC_URL: publicUrl } = config;
  const protocol = publicUrl.startsWith('https:') ? 'https' : 'http';
  const isEmbedded = config.BELTWAY_MODE === 'embedded';
  const isUnlimited = !limitsOn(config);
  const table = routeTable({ isEmbedded, hasSandbox: config.SANDBOX_URL !== undefined }, routes);
  const access = accessLog(table, log);
  const spans = requestSpans(table);
  const limits = isUnlimited ? undefined : rateLimits(table, redis);
  const concurrency = concurrencyLimits({
    table,
    trustedHops,
    requests: isUnlimited ? Infinity : config.MAX_REQUESTS_PER_ADDRESS,
    connections: isUnlimited ? Infinity : config.MAX_CONNECTIONS_PER_ADDRESS,
  });
  const inTime = timeouts?.bodyMs === undefined ? {} : { bodyMs: timeouts.bodyMs };
  const small = arrivingBodies({ max: MAX_ARRIVING, senderOf: concurrency.networkOf, ...inTime });
  const streamed = arrivingBodies(inTime);
  const gates = openGates(isBehind);
  const unread = unreadAnswers(trustedHops);
  const cache = responseCache({
    table,
    backends,
    gates,
    log,
    trustedHops,
    headers: apiHeaders(config),
    framedHeaders: framedHeaders(config),
    read: limits?.read,
    timeouts,
    isBehind,
    access,
    unread,
    ...(deps.clock && { clock: deps.clock }),
  });
  const proxy = createProxy(table, backends, gates, log, timeouts, isBehind, cache.noteAnswer);
  const sockets = forwardSockets({
    realtime: backends.realtime,
    log,
    access,
    trustedHops,
    protocol,
    take: limits?.upgrade,
    admit: concurrency.admitSocket,
    ...(timeouts && { answerMs: timeouts.idleMs }),
  });
  const holds = openHoldBatching({
    ticketing: backends.ticketing,
    internalToken: config.INTERNAL_TOKEN,
    log,
    trustedHops,
    headers: apiHeaders(config),
    bodies: small,
    buy: limits?.buy,
    timeouts,
    isBehind,
    spanOf: spans?.of,
  });

  const isHere = fromHere(config);
  const assignRequestId: RequestHandler = (_req, res, next) => {
    res.setHeader('x-request-id', (res.locals['requestId'] = requestIdOf(res)));
    next();
  };
  const clean: RequestHandler = (req, res, next) => {
    const problem = badTarget(req.method, req.url);
    if (problem?.status === 405) res.setHeader('allow', [...METHODS].join(', '));
    if (problem) throw problem;
    res.locals['direct'] = cameDirectly(req);
    const traceparent = spans?.of(req)?.traceparent;
    cleanHeaders(req, { trustedHops, protocol, requestId: String(res.locals['requestId']), traceparent });
    if (isHere(req, res)) req.headers[FROM_THIS_MACHINE] = '1';
    next();
  };

  // A gateway without the built page shows visitors an error, so the gateway is not ready before the page is built.
  const { FRONTEND_DIR: pageFolder } = config;
  const built = pageFolder === undefined ? undefined : builtPage(pageFolder);
  const screens = pageFolder === undefined ? undefined : firstScreenRenderer(pageFolder, log, deps.firstScreens);
  const ownChecks: Checks = { auth: auth.ready, ...(built && { page: built }) };

  let closeUnused = (): void => undefined;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(assignRequestId, securityHeaders(config, table), clean);
  app.use(healthRoutes(ownChecks, 'gateway'));
  if (limits) app.use(limits.limit);
  app.use(readBodies({ table, small, streamed, concurrency }), compressPublic(table));
  app.use(
    optionsRoute(table),
    ownCallsInGates(table, gates),
    opsRoutes({ config, backends, auth, ownChecks, bus, log, redis, tracesRatio: spans?.ratio }),
    clientErrorRoutes(log),
    clientSpanRoutes(spans),
  );
  app.get('/api/openapi.json', documentRoute(publicUrl, routes));
  if (isEmbedded) app.use(['/dev', '/sandbox'], thisMachineOnly).use('/dev', sameOriginOnly);
  // In a container every request comes from Docker's proxy, so the request's IP address proves nothing. The port is
  // published on this machine only (the sandbox's `PUBLISH`).
  else app.use('/sandbox', ownNamesOnly);
  if (spans) app.use((req, _res, next) => inSpan(spans.of(req), next));
  app.use(proxy.handler);
  app.use(sitemapRoutes({ catalog: internalClient(backends.catalog, config.INTERNAL_TOKEN, SITEMAP_MS), publicUrl }));
  if (pageFolder !== undefined && built && screens) {
    app.use(assets(pageFolder), pagePreloads(built));
    app.use(pageRoutes({ built, publicUrl, data: publicData(cache), screens }));
  }
  app.use(noSuchRoute);
  app.use(problems(log));

  /**
   * Each request takes the first of four paths that applies: a cached answer, a batch of holds, a shared read, Express.
   * A cached answer is sent immediately. It is not traced, and does not count among the concurrent requests of the
   * client's IP address.
   */
  const handler: RequestListener = (req, res) => {
    if (cache.answerFresh(req, res)) return;
    access.begin(req, res);
    unread.watch(req, res);
    spans?.begin(req, res);
    const problem = concurrency.admit(req, res);
    if (problem) {
      res.setHeaders(new Map(Object.entries(apiHeaders(config))));
      return sendProblem(res, problem, requestIdOf(res));
    }
    const passToExpress = () => app(req, res);
    if (answerHold(holds, req, res)) return;
    if (cache.answerShared(req, res, passToExpress)) return;
    passToExpress();
  };

  return {
    handler,
    attach: (server) => {
      // Closes connections whose headers arrive too slowly (slowloris); bodies are watched by `kit/arriving-bodies`.
      server.headersTimeout = 10_000;
      server.timeout = timeouts?.unreadMs ?? UNREAD_MS;
      concurrency.watchConnections(server);
      // This option exists since Node 24.9, but Node's types lack it.
      Object.assign(server, { shouldUpgradeCallback: isWebSocket });
      server.on('upgrade', sockets.upgrade);
      server.on('checkContinue', handler);
      closeUnused = watchUnusedConnections(server);
    },
    hear: cache.hear,
    drain: () => {
      closeUnused();
      sockets.drain();
      proxy.drain();
    },
    close: () => {
      proxy.close();
      screens?.close();
      closeBatches(holds.batches);
      cache.close();
      unread.close();
      small.stop();
      streamed.stop();
      present(backends).forEach(([, instances]) => instances.stop());
    },
  };
}
