import { highestAccountOf } from '@beltway/kit/personal-data';
import { limitsOn } from '@beltway/kit/config';
import { instances } from '@beltway/kit/instances';
import { internalClient } from '@beltway/kit/internal';
import { serviceMail } from '@beltway/kit/mail/service';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import {
  readiness,
  serviceBus,
  serviceInstances,
  servicePool,
  serviceRedis,
  serviceStore,
} from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { readRealtimeConfig } from './config.ts';
import { openPushSender } from './notifications/push-sender.ts';
import { PERSONAL } from './personal-data.ts';
import { TOPIC, toMessages } from './publish.ts';

runService('realtime', readRealtimeConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const redis = await serviceRedis(service);
  const store = serviceStore(service, toMessages);
  const bus = await serviceBus(service, [
    TOPIC,
    'identity.events',
    'catalog.events',
    'ticketing.events',
    'payments.events',
  ]);
  const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
  const catalog = await serviceInstances(service, 'catalog', config.CATALOG_URL);
  // Only posts with a picture need media, so the start does not wait for it.
  const media = instances({ service: 'media', urls: config.MEDIA_URL, log });
  service.onStop(media);
  const auth = await serviceAuth(service, bus, identity);
  const samples = () => import('./notifications/mail-samples.ts').then((module) => module.samples);
  const realtime = await createApp({
    log,
    pool,
    store,
    bus,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    catalog: internalClient(catalog, config.INTERNAL_TOKEN),
    media: internalClient(media, config.INTERNAL_TOKEN),
    identity: internalClient(identity, config.INTERNAL_TOKEN),
    ...serviceMail({ service: 'realtime', config, pool, samples }),
    publicUrl: config.PUBLIC_URL,
    push:
      config.VAPID_PRIVATE_KEY === undefined
        ? undefined
        : openPushSender({
            privateKey: config.VAPID_PRIVATE_KEY,
            publicUrl: config.PUBLIC_URL,
            support: config.SUPPORT_EMAIL,
          }),
    support: config.SUPPORT_EMAIL,
    redis,
    isUnlimited: !limitsOn(config),
    checks: readiness(pool, bus, auth),
  });
  service.onStop(realtime);
  service.onStop(
    await followErasures({
      ...{ pool, bus, log, group: 'realtime.erasures' },
      identity: internalClient(identity, config.INTERNAL_TOKEN),
      erase: realtime.erase,
      highestAccount: highestAccountOf(PERSONAL),
    }),
  );
  const { handler, attach, drain } = realtime;
  return { handler, attach, drain };
});
