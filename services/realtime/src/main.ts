import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { readiness, serviceBus, servicePool, serviceRedis } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { readRealtimeConfig } from './config.ts';

runService('realtime', readRealtimeConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const redis = await serviceRedis(service);
  const bus = await serviceBus(service, ['realtime.events', 'identity.events']);
  const auth = await serviceAuth(service, bus);
  const realtime = await createApp({
    log,
    pool,
    bus,
    auth,
    publicUrl: config.PUBLIC_URL,
    redis,
    checks: readiness(pool, bus, auth),
  });
  service.onStop(realtime);
  const { handler, attach, drain } = realtime;
  return { handler, attach, drain };
});
