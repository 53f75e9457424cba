import { createServer } from 'node:http';
import express from 'express';
import { authenticator } from '@beltway/kit/auth';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { metricsRoute } from '@beltway/kit/metrics';
import { eventLoopWatch } from '@beltway/kit/overload';
import { openRedis } from '@beltway/kit/redis';
import { run, serve } from '@beltway/kit/serve';
import { createGateway } from './app.ts';
import { config } from './config.ts';
import { openBackends } from './proxy/backends.ts';

run(async () => {
  const settings = config();
  const log = logger('gateway', settings.LOG_LEVEL);
  const backends = openBackends(settings, log);
  const bus = await openBus(settings, log);
  await bus.ensureTopics(['identity.events']);
  const auth = await authenticator({
    identity: backends.identity,
    internalToken: settings.INTERNAL_TOKEN,
    bus,
    log,
  });
  const redis = settings.REDIS_URL ? await openRedis({ url: settings.REDIS_URL, log }) : undefined;
  const eventLoop = eventLoopWatch();
  const gateway = createGateway({ config: settings, log, auth, backends, redis, isBehind: eventLoop.isBehind });

  // On SERVICE_PORT, for this machine: whether this very instance is ready, and its metrics.
  const { PORT, SERVICE_PORT } = settings;
  const own = express().disable('x-powered-by').get('/metrics', metricsRoute).use(gateway.handler);
  if (SERVICE_PORT !== undefined && SERVICE_PORT !== PORT) createServer(own).listen(SERVICE_PORT, '127.0.0.1');
  await serve({
    log,
    handler: gateway.handler,
    port: PORT,
    host: settings.HOST,
    lameDuckMs: settings.LAME_DUCK_MS,
    reusePort: settings.SHARE_PORT === '1',
    attach: gateway.attach,
    drain: gateway.drain,
    close: [gateway.close, eventLoop.stop, () => auth.stop(), () => bus.close(), () => redis?.close()],
  });
});
