import { openStore } from '@beltway/event-store';
import { authenticator } from '@beltway/kit/auth';
import { instances } from '@beltway/kit/instances';
import { internalClient } from '@beltway/kit/internal';
import { canWait } from '@beltway/kit/health';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { readCatalogConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { TOPIC, startRelay } from './relay.ts';
import { upcasts } from './upcasts.ts';

/** A picture of 5 MB is decoded and drawn anew in two sizes meanwhile. */
const MEDIA_TIMEOUT_MS = 20_000;

run(async () => {
  const config = readCatalogConfig();
  const log = logger('catalog', config.LOG_LEVEL);
  const store = openStore({ url: config.DATABASE_URL, upcasts, warn: (err, message) => log.warn({ err }, message) });
  const pool = openPool(config.DATABASE_URL, { log });
  const bus = await openBus(config, log);
  await bus.ensureTopics([TOPIC, 'identity.events']);
  const auth = await authenticator({
    identity: instances({ urls: config.IDENTITY_URL, log }),
    internalToken: config.INTERNAL_TOKEN,
    bus,
    log,
  });

  const app = createApp({
    log,
    store,
    pool,
    auth,
    internalToken: config.INTERNAL_TOKEN,
    media: internalClient(instances({ urls: config.MEDIA_URL, log }), config.INTERNAL_TOKEN, MEDIA_TIMEOUT_MS),
    checks: { database: () => pool.query('select 1'), bus: canWait(() => bus.healthy()), sessions: () => auth.ready() },
  });
  const consumers = await startConsumers({ bus, pool, log });
  const relay = await startRelay({ store, bus, pool, log });

  await serve({
    log,
    handler: app,
    port: config.SERVICE_PORT,
    host: config.HOST,
    lameDuckMs: config.LAME_DUCK_MS,
    close: [
      () => consumers.stop(),
      () => relay.stop(),
      () => auth.stop(),
      () => bus.close(),
      () => store.close(),
      () => pool.end(),
    ],
  });
});
