import { internalClient } from '@beltway/kit/internal';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import { readiness, serviceBus, serviceInstances, servicePool, serviceRedis } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { readRealtimeConfig } from './config.ts';
import { erasePerson, HIGHEST_ACCOUNT } from './notifications/person.ts';

runService('realtime', readRealtimeConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const redis = await serviceRedis(service);
  const bus = await serviceBus(service, [
    'realtime.events',
    'identity.events',
    'catalog.events',
    'ticketing.events',
    'payments.events',
  ]);
  const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
  const catalog = await serviceInstances(service, 'catalog', config.CATALOG_URL);
  const auth = await serviceAuth(service, bus, identity);
  const realtime = await createApp({
    log,
    pool,
    bus,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    catalog: internalClient(catalog, config.INTERNAL_TOKEN),
    publicUrl: config.PUBLIC_URL,
    redis,
    checks: readiness(pool, bus, auth),
  });
  service.onStop(
    realtime,
    await followErasures({
      ...{ pool, bus, log, group: 'realtime.erasures' },
      identity: internalClient(identity, config.INTERNAL_TOKEN),
      erase: (userId) => erasePerson(pool, userId),
      highestAccount: HIGHEST_ACCOUNT,
    }),
  );
  const { handler, attach, drain } = realtime;
  return { handler, attach, drain };
});
