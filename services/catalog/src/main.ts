import { openAllowances, unlimited } from '@beltway/kit/allowances';
import { startRelay } from '@beltway/kit/bus/relay';
import { skipSaidNumbers } from '@beltway/kit/bus/said-numbers';
import { limitsOn } from '@beltway/kit/config';
import { internalClient } from '@beltway/kit/internal';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import { readiness, serviceBus, serviceInstances, servicePool, serviceStore } from '@beltway/kit/service/parts';
import { openAds } from './ads/stream.ts';
import { startClosing } from './ads/jobs.ts';
import { openAdCounting } from './ads/counting.ts';
import { createApp } from './app.ts';
import { readCatalogConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { HIGHEST_ACCOUNT, erasePerson } from './person.ts';
import { openViews } from './engagement/views.ts';
import { startPromotionClock } from './promotion/jobs.ts';
import { TOPIC, toMessages } from './publish.ts';
import { geocoder } from './location/geocoder.ts';
import { startLocating } from './location/locate.ts';
import { startCatchingUp } from './search/catch-up.ts';
import { openListings } from './event/stream.ts';
import { startContinuing } from './series/jobs.ts';
import { moderatedKinds } from './suspension/moderated.ts';
import { startSuspending } from './suspension/suspension.ts';
import { openFeedPool, openSearchPool } from './search/pool.ts';

/** Long enough to decode a picture of 5 MB and re-encode it in two sizes. */
const MEDIA_TIMEOUT_MS = 20_000;
/** Short, because viewer counts of live streams are optional. */
const AUDIENCE_TIMEOUT_MS = 1_000;
/** Short, because the number of accounts on the home page is optional. */
const IDENTITY_TIMEOUT_MS = 2_000;

runService('catalog', readCatalogConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const store = serviceStore(service, toMessages);
  const bus = await serviceBus(service, [
    TOPIC,
    'identity.events',
    'payments.events',
    'media.events',
    'realtime.events',
  ]);
  const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
  const media = await serviceInstances(service, 'media', config.MEDIA_URL);
  const payments = await serviceInstances(service, 'payments', config.PAYMENTS_URL);
  // Both calls read the bus, which takes seconds with Kafka, so the calls run concurrently.
  const [auth] = await Promise.all([
    serviceAuth(service, bus, identity),
    skipSaidNumbers({ ...{ bus, pool, log, topic: TOPIC }, category: 'event', sequence: 'event_ids' }),
  ]);

  service.onStop(await startRelay({ store, bus, pool, log, topic: TOPIC }));
  // One instance for the whole process, because it caches stream states.
  const listings = openListings(store);
  const promotions = { pool, listings, log, clock: () => new Date() };
  const ads = openAds(store);
  const identityClient = internalClient(identity, config.INTERNAL_TOKEN, IDENTITY_TIMEOUT_MS);
  const moderated = { pool, identity: identityClient, kinds: moderatedKinds({ ...promotions, ads }) };
  service.onStop(await startConsumers({ bus, ads, moderated, ...promotions }), startPromotionClock(promotions));

  const erasing = { pool, listings, clock: () => new Date() };
  service.onStop(
    await followErasures({
      ...{ pool, bus, log, identity: identityClient, group: 'catalog.erasures' },
      erase: (userId) => erasePerson(erasing, userId),
      highestAccount: HIGHEST_ACCOUNT,
    }),
  );

  const views = openViews({ pool, log, clock: () => new Date() });
  const adCounting = openAdCounting({ pool, log, clock: () => new Date() });
  service.onStop(views, adCounting, startClosing({ pool, ads, log, clock: () => new Date() }));

  const searchPool = openSearchPool(config.DATABASE_URL, log);
  const feedPool = openFeedPool(config.DATABASE_URL, log);
  service.onStop(() => Promise.all([searchPool.end(), feedPool.end()]));
  service.onStop(startContinuing({ pool, listings, log }), startSuspending({ pool, listings, log }));
  service.onStop(await startCatchingUp({ pool, log }));

  const { GEOCODING_URL: url, GEOCODING_KEY: key } = config;
  service.onStop(startLocating({ pool, log, find: url ? geocoder({ url, key }) : undefined }));

  const handler = createApp({
    log,
    listings,
    ads,
    pool,
    searchPool,
    feedPool,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    publicUrl: config.PUBLIC_URL,
    media: internalClient(media, config.INTERNAL_TOKEN, MEDIA_TIMEOUT_MS),
    payments: internalClient(payments, config.INTERNAL_TOKEN),
    audience: internalClient(media, config.INTERNAL_TOKEN, AUDIENCE_TIMEOUT_MS),
    identity: identityClient,
    moderated,
    views,
    adCounting,
    allowances: limitsOn(config) ? openAllowances(pool, config.INTERNAL_TOKEN) : unlimited,
    checks: readiness(pool, bus, auth),
  });
  return { handler };
});
