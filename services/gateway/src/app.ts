import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import { arrivingBodies } from '@beltway/kit/arriving-bodies';
import type { Authenticator } from '@beltway/kit/auth';
import { healthRoutes } from '@beltway/kit/health';
import type { Logger } from '@beltway/kit/logger';
import { httpMetrics } from '@beltway/kit/metrics';
import { noSuchRoute, problems, sendProblem } from '@beltway/kit/problems';
import type { Redis } from '@beltway/kit/redis';
import { UNREAD_MS } from '@beltway/kit/serve';
import { FROM_THIS_MACHINE, sameOriginOnly, thisMachineOnly } from '@beltway/kit/this-machine';
import type { Config } from './config.ts';
import { readBodies } from './inbound/bodies.ts';
import { cameDirectly, cleanHeaders } from './inbound/headers.ts';
import { rateLimits } from './inbound/limits.ts';
import { senders } from './inbound/senders.ts';
import { watchSilent } from './inbound/silent.ts';
import { METHODS, badTarget } from './inbound/target.ts';
import { fixedHeaders } from './lane/fixed-headers.ts';
import { holdLane } from './lane/holds.ts';
import { documentRoute } from './openapi/document.ts';
import { optionsRoute } from './openapi/options.ts';
import { fromHere } from './ops/here.ts';
import { opsRoutes } from './ops/ops.ts';
import { assets } from './page/assets.ts';
import { compressPublic } from './page/compress.ts';
import { eventLookup } from './page/events.ts';
import { pageRoutes } from './page/page.ts';
import { present, type Backends } from './proxy/backends.ts';
import type { Patience } from './proxy/timeouts.ts';
import { createProxy } from './proxy/proxy.ts';
import { forwardSockets, isWebSocket } from './proxy/sockets.ts';
import { securityHeaders } from './security.ts';

/** Small bodies on their way at once, of 100 kB each at most. */
const MOST_ARRIVING = 1_000;

export interface Deps {
  config: Config;
  log: Logger;
  auth: Authenticator;
  backends: Backends;
  /** Where all gateways count together; without it each counts for itself. */
  redis?: Redis | undefined;
  /** How long services may take; shorter in tests. */
  patience?: Patience;
  /** Whether this process does not keep up. */
  isBehind?: () => boolean;
}

export interface Gateway {
  handler: RequestListener;
  /** Binds to the server, before it listens: WebSockets, `Expect`, and how long a client may take. */
  attach(server: Server): void;
  /** Ends what would not end by itself: sockets and long polls. */
  drain(): void;
  close(): void;
}

/** The only public door: refuses what is not plain, cleans what comes in, limits rates, routes, serves the page. It holds no rule of the domain. */
export function createGateway({ config, log, auth, backends, redis, patience, isBehind }: Deps): Gateway {
  const { TRUSTED_HOPS: trustedHops, PUBLIC_URL: publicUrl } = config;
  const protocol = publicUrl.startsWith('https:') ? 'https' : 'http';
  const unlimited = config.BELTWAY_MODE === 'embedded' && config.BELTWAY_RATE_LIMITS === 'off';
  const limits = unlimited ? undefined : rateLimits(redis);
  const each = senders({
    trustedHops,
    requests: unlimited ? Infinity : config.MAX_REQUESTS_PER_ADDRESS,
    connections: unlimited ? Infinity : config.MAX_CONNECTIONS_PER_ADDRESS,
  });
  const inTime = patience?.bodyMs === undefined ? {} : { bodyMs: patience.bodyMs };
  const small = arrivingBodies({ most: MOST_ARRIVING, senderOf: each.nameOf, ...inTime });
  const streamed = arrivingBodies(inTime);
  const proxy = createProxy(config, backends, log, patience, isBehind);
  const sockets = forwardSockets({
    realtime: backends.realtime,
    log,
    trustedHops,
    protocol,
    take: limits?.upgrade,
    admit: each.admitSocket,
    ...(patience && { answerMs: patience.idleMs }),
  });

  const fixed = fixedHeaders(securityHeaders(config), '/api/holds');
  const lane = holdLane({
    ticketing: backends.ticketing,
    internalToken: config.INTERNAL_TOKEN,
    log,
    trustedHops,
    headers: fixed,
    bodies: small,
    buy: limits?.buy,
    patience,
    isBehind,
  });

  const isHere = fromHere(config);
  const named: RequestHandler = (_req, res, next) => {
    res.setHeader('x-request-id', (res.locals['requestId'] = randomUUID()));
    next();
  };
  const clean: RequestHandler = (req, res, next) => {
    const problem = badTarget(req.method, req.url);
    if (problem?.status === 405) res.setHeader('allow', [...METHODS].join(', '));
    if (problem) throw problem;
    res.locals['direct'] = cameDirectly(req);
    cleanHeaders(req, { trustedHops, protocol, requestId: String(res.locals['requestId']) });
    if (isHere(req, res)) req.headers[FROM_THIS_MACHINE] = '1';
    next();
  };

  let endSilent = (): void => undefined;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(named, securityHeaders(config), clean, httpMetrics);
  app.use(healthRoutes({ auth: auth.ready }));
  if (limits) app.use(limits.limit);
  app.use(readBodies({ small, streamed, senders: each }), compressPublic);
  app.use(optionsRoute, opsRoutes(config, backends, auth));
  app.get('/api/openapi.json', documentRoute(publicUrl));
  if (config.BELTWAY_MODE === 'embedded') app.use(['/dev', '/sandbox'], thisMachineOnly).use('/dev', sameOriginOnly);
  app.use(proxy.handler);
  app.use(assets(config.FRONTEND_DIR));
  app.use(pageRoutes({ folder: config.FRONTEND_DIR, publicUrl, lookUp: eventLookup(backends.catalog) }));
  app.use(noSuchRoute);
  app.use(problems(log));

  const handler: RequestListener = (req, res) => {
    const problem = each.admit(req, res);
    if (!problem) return void (lane.take(req, res) || app(req, res));
    for (const [name, value] of fixed) res.setHeader(name, value);
    sendProblem(res, problem, randomUUID());
  };

  return {
    handler,
    attach: (server) => {
      // Seconds for the headers, so that nobody holds connections by dripping them; bodies are watched by `kit/arriving-bodies`.
      server.headersTimeout = 10_000;
      server.timeout = patience?.unreadMs ?? UNREAD_MS;
      each.watchConnections(server);
      // In Node since 24.9, in its types not yet.
      Object.assign(server, { shouldUpgradeCallback: isWebSocket });
      server.on('upgrade', sockets.upgrade);
      server.on('checkContinue', handler);
      endSilent = watchSilent(server);
    },
    drain: () => {
      endSilent();
      sockets.drain();
      proxy.drain();
    },
    close: () => {
      proxy.close();
      lane.close();
      small.stop();
      streamed.stop();
      present(backends).forEach(([, instances]) => instances.stop());
    },
  };
}
