import { createServer } from 'node:http';
import { eventLoopWatch } from '@beltway/kit/overload';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { serviceBus, serviceRedis } from '@beltway/kit/service/parts';
import { createGateway } from './app.ts';
import { config as readGatewayConfig } from './config.ts';
import { showWaitingLetters } from './ops/waiting-letters.ts';
import { openBackends, present } from './proxy/backends.ts';
import { PURGING_TOPICS } from './response-cache/purge.ts';

runService('gateway', readGatewayConfig, async (service) => {
  const { config, log } = service;
  const backends = openBackends(config, log);
  const redis = await serviceRedis(service);
  const bus = await serviceBus(service, ['identity.events', ...PURGING_TOPICS]);
  const auth = await serviceAuth(service, bus, backends.identity);
  const eventLoop = eventLoopWatch();
  await Promise.all(present(backends).map(([, { started }]) => started));
  const gateway = createGateway({ config, log, auth, backends, bus, redis, isBehind: eventLoop.isBehind });
  service.onStop(showWaitingLetters(bus), gateway.close, eventLoop, await bus.tail(PURGING_TOPICS, gateway.hear));

  // SERVICE_PORT is for checks from this machine: it reports whether exactly this instance is ready.
  const { PORT: port, SERVICE_PORT } = config;
  if (SERVICE_PORT !== undefined && SERVICE_PORT !== port)
    createServer(gateway.handler).listen(SERVICE_PORT, '127.0.0.1');
  const { handler, attach, drain } = gateway;
  return { handler, attach, drain, port, byTls: config.PORT_TLS === 'on', reusePort: config.SHARE_PORT === '1' };
});
