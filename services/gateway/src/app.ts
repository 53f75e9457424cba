import { randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import type { Authenticator } from '@beltway/kit/auth';
import { healthRoutes } from '@beltway/kit/health';
import type { Logger } from '@beltway/kit/logger';
import { httpMetrics } from '@beltway/kit/metrics';
import { noSuchRoute, problems } from '@beltway/kit/problems';
import type { Config } from './config.ts';
import { frontendRoutes } from './frontend.ts';
import { limit } from './limits.ts';
import { opsRoutes } from './ops.ts';
import { cleanHeaders, type Proxy } from './proxy.ts';
import { securityHeaders } from './security.ts';

export interface Deps {
  config: Config;
  log: Logger;
  auth: Authenticator;
  proxy: Proxy;
}

/** The only public door: cleans what comes in, limits rates, routes, serves the frontend. It holds no rule of the domain. */
export function createApp({ config, log, auth, proxy }: Deps): Express {
  const app = express();
  const protocol = config.PUBLIC_URL.startsWith('https:') ? 'https' : 'http';
  const limited = !(config.BELTWAY_MODE === 'embedded' && config.BELTWAY_RATE_LIMITS === 'off');
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use((req, res, next) => {
    const requestId = randomUUID();
    res.locals['requestId'] = requestId;
    res.setHeader('x-request-id', requestId);
    cleanHeaders(req, config.TRUSTED_HOPS, requestId, protocol);
    next();
  });
  app.use(httpMetrics);
  app.use(healthRoutes({ auth: auth.ready }));
  app.use(securityHeaders(config));
  if (limited) app.use(limit);
  app.use(opsRoutes(config, auth));
  app.get('/api/openapi.json', async (_req, res) => {
    const { openApiDocument } = await import('./openapi.ts');
    res.set('cache-control', 'public, max-age=3600').json(openApiDocument(config.PUBLIC_URL));
  });
  app.use(proxy.handler);
  app.use(frontendRoutes(config.FRONTEND_DIR, config.PUBLIC_URL, config.CATALOG_URL));
  app.use(noSuchRoute);
  app.use(problems(log));
  return app;
}
