import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { openAllowances, unlimited } from '@beltway/kit/allowances';
import { startRelay } from '@beltway/kit/bus/relay';
import { limitsOn } from '@beltway/kit/config';
import { instances } from '@beltway/kit/instances';
import { internalClient } from '@beltway/kit/internal';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import {
  readiness,
  serviceBus,
  serviceInstances,
  serviceObjects,
  servicePool,
  serviceStore,
} from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { openBroadcasts } from './broadcast/stream.ts';
import { openSeats } from './broadcast/seats.ts';
import { openSigning } from './broadcast/signing.ts';
import { watchBroadcasts } from './broadcast/jobs.ts';
import { readMediaConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { lazyDb } from './db.ts';
import { openStoredPictures } from './files/stored-pictures.ts';
import { openStoredVideos } from './files/stored-videos.ts';
import { startSweep } from './files/jobs.ts';
import { openImages } from './image/images.ts';
import { askNamed } from './image/named.ts';
import { erasePerson } from './person.ts';
import { PERSONAL } from './personal-data.ts';
import { ingestAddress, startIngest } from './ingest/ingest.ts';
import { openItems } from './item/stream.ts';
import { moderatedItems } from './item/moderated.ts';
import { openUploaders } from './uploader/stream.ts';
import { toMessages, TOPIC } from './publish.ts';
import { storedBytes } from './upload/stored-bytes.ts';
import { openSpool } from './upload/spool.ts';
import { openFfmpeg } from './video/ffmpeg.ts';
import { openVideoViews } from './video/views.ts';
import { openWeatherReports } from './weather/weather.ts';
import { openImageWorkers } from './workers/pool.ts';

runService('media', readMediaConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const bus = await serviceBus(service, [TOPIC, 'catalog.events', 'ticketing.events', 'identity.events']);
  const store = serviceStore(service, toMessages);
  service.onStop(await startRelay({ store, bus, pool, log, topic: TOPIC }));
  const workers = openImageWorkers({ maxWorkers: config.MEDIA_WORKERS });
  service.onStop(() => workers.close());
  const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
  const auth = await serviceAuth(service, bus, identity);
  const broadcasts = openBroadcasts(store);

  const weather = openWeatherReports({
    log,
    serviceUrl: config.WEATHER_SERVICE_URL,
    openUrl: config.OPEN_WEATHER_URL,
    openKey: config.OPEN_WEATHER_KEY,
    userAgent: `beltway${config.SUPPORT_EMAIL ? ` (${config.SUPPORT_EMAIL})` : ''}`,
  });
  const objects = await serviceObjects(service);
  // Startup does not wait for these services, because only the sweep calls them.
  const catalog = instances({ service: 'catalog', urls: config.CATALOG_URL, log });
  const realtime = instances({ service: 'realtime', urls: config.REALTIME_URL, log });
  service.onStop(catalog, realtime);
  const named = askNamed([catalog, realtime].map((asked) => internalClient(asked, config.INTERNAL_TOKEN)));
  const images = openImages({ db: lazyDb(pool), pool, objects, workers, named });
  const items = openItems(store);
  const uploaders = openUploaders(store);
  service.onStop(() => Promise.all([items.photo.drain(), items.video.drain(), uploaders.drain(), broadcasts.drain()]));
  const views = openVideoViews({ pool, log, clock: () => new Date() });
  service.onStop(views);
  const pictures = openStoredPictures({ pool, objects, workers });
  const videoFiles = openStoredVideos({ pool, objects });
  const spool = openSpool(join(tmpdir(), 'beltway-uploads'));
  const sweep = startSweep({ pool, images, pictures, videos: videoFiles, spool, log });
  service.onStop(sweep);
  const moderated = {
    pool,
    identity: internalClient(identity, config.INTERNAL_TOKEN),
    kinds: moderatedItems({ pool, items, wakeSweep: sweep.wake }),
  };
  service.onStop(...(await startConsumers({ bus, pool, log, broadcasts, moderated })));
  service.onStop(
    await followErasures({
      ...{ pool, bus, log, group: 'media.erasures' },
      identity: moderated.identity,
      erase: (userId) => erasePerson({ pool, images, items, uploaders, wakeSweep: sweep.wake }, userId),
      highestAccount: highestAccountOf(PERSONAL),
    }),
  );
  service.onStop(watchBroadcasts({ pool, broadcasts, log }));
  const signing = await openSigning(pool);
  const address = ingestAddress(config);
  const ingest = address && (await startIngest({ ...{ pool, broadcasts, signing, objects, log }, ...address }));
  if (ingest) service.onStop(ingest);
  const handler = createApp({
    log,
    pool,
    images,
    items,
    uploaders,
    broadcasts,
    seats: openSeats(pool),
    views,
    signing,
    ingest,
    liveFolder: address?.folder,
    pictures,
    videoFiles,
    spool,
    stored: storedBytes(limitsOn(config) ? openAllowances(pool, config.INTERNAL_TOKEN) : unlimited),
    ffmpeg: openFfmpeg({ log }),
    wakeSweep: sweep.wake,
    objects,
    workers,
    auth,
    moderated,
    weather,
    internalToken: config.INTERNAL_TOKEN,
    checks: readiness(pool, bus, auth),
  });
  return { handler };
});
