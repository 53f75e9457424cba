import { join } from 'node:path';
import { authenticator } from '@beltway/kit/auth';
import { instances } from '@beltway/kit/instances';
import { canWait } from '@beltway/kit/health';
import { logger } from '@beltway/kit/logger';
import { folderObjects } from '@beltway/kit/objects';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { readMediaConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openWorkshop } from './workshop/workshop.ts';

run(async () => {
  const config = readMediaConfig();
  const log = logger('media', config.LOG_LEVEL);
  const pool = openPool(config.DATABASE_URL);
  const bus = await openBus(config, log);
  const auth = await authenticator({
    identity: instances({ urls: config.IDENTITY_URL, log }),
    internalToken: config.INTERNAL_TOKEN,
    bus,
    log,
  });
  const workshop = openWorkshop({ workers: config.MEDIA_WORKERS });

  const app = createApp({
    log,
    pool,
    objects: folderObjects(join(config.DATA_DIR, 'objects')),
    workshop,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    checks: { database: () => pool.query('select 1'), bus: canWait(() => bus.healthy()), sessions: () => auth.ready() },
  });
  const consumers = await startConsumers({ bus, pool, log });

  await serve({
    log,
    handler: app,
    port: config.SERVICE_PORT,
    host: config.HOST,
    lameDuckMs: config.LAME_DUCK_MS,
    close: [() => consumers.stop(), () => auth.stop(), () => workshop.close(), () => bus.close(), () => pool.end()],
  });
});
