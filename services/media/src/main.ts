import { join } from 'node:path';
import { folderObjects } from '@beltway/kit/objects';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { readiness, serviceBus, servicePool } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { readMediaConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openWorkshop } from './workshop/workshop.ts';

runService('media', readMediaConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const bus = await serviceBus(service, ['catalog.events', 'identity.events']);
  const workshop = openWorkshop({ workers: config.MEDIA_WORKERS });
  service.onStop(() => workshop.close());
  const auth = await serviceAuth(service, bus);
  service.onStop(await startConsumers({ bus, pool, log }));

  const handler = createApp({
    log,
    pool,
    objects: folderObjects(join(config.DATA_DIR, 'objects')),
    workshop,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    checks: readiness(pool, bus, auth),
  });
  return { handler };
});
