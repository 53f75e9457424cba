import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { readiness, serviceBus, serviceObjects, servicePool } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { readMediaConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openWeatherReports } from './weather/weather.ts';
import { openImageWorkers } from './workers/pool.ts';

runService('media', readMediaConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const bus = await serviceBus(service, ['catalog.events', 'identity.events']);
  const workers = openImageWorkers({ maxWorkers: config.MEDIA_WORKERS });
  service.onStop(() => workers.close());
  const auth = await serviceAuth(service, bus);
  service.onStop(await startConsumers({ bus, pool, log }));

  const weather = openWeatherReports({
    log,
    serviceUrl: config.WEATHER_SERVICE_URL,
    openUrl: config.OPEN_WEATHER_URL,
    openKey: config.OPEN_WEATHER_KEY,
    userAgent: `beltway${config.SUPPORT_EMAIL ? ` (${config.SUPPORT_EMAIL})` : ''}`,
  });
  const handler = createApp({
    log,
    pool,
    objects: await serviceObjects(service),
    workers,
    auth,
    weather,
    internalToken: config.INTERNAL_TOKEN,
    checks: readiness(pool, bus, auth),
  });
  return { handler };
});
