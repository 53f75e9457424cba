import { openStore } from '@beltway/event-store';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { openRedis } from '@beltway/kit/redis';
import { startRelay } from '@beltway/kit/bus/relay';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { config, demoOn } from './config.ts';
import { openPrisma } from './db.ts';
import { createDemoAccounts } from './demo.ts';
import { TOPIC, publish } from './publish.ts';
import { sweepHourly } from './sweep.ts';
import { upcasts } from './upcasts.ts';

const HOUR_MS = 3_600_000;

run(async () => {
  const settings = config();
  const log = logger('identity', settings.LOG_LEVEL);
  const store = openStore({
    url: settings.DATABASE_URL,
    upcasts,
    warn: (error, message) => log.warn({ err: error }, message),
  });
  const pool = openPool(settings.DATABASE_URL, { log });
  const db = openPrisma(pool);
  const bus = await openBus(settings, log);
  await bus.ensureTopics([TOPIC]);

  const redis = settings.REDIS_URL ? await openRedis({ url: settings.REDIS_URL, log }) : undefined;
  const { app, accounts, keys, users, sessions } = createApp({ config: settings, log, store, pool, db, redis });
  if (demoOn(settings)) await createDemoAccounts(accounts, pool, log);

  const relaying = await startRelay({ store, bus, pool, log, topic: TOPIC, publish });
  const renewKeys = () =>
    keys.rotateWhenOld().catch((error: unknown) => log.warn({ err: error }, 'the signing keys were not looked after'));
  const renewing = setInterval(() => void renewKeys(), HOUR_MS).unref();
  void renewKeys(); // the first key is made now, beside the start, not under the first sign-in
  const stopSweeping = sweepHourly(pool, log);

  await serve({
    log,
    handler: app,
    port: settings.SERVICE_PORT,
    host: settings.HOST,
    lameDuckMs: settings.LAME_DUCK_MS,
    close: [
      () => clearInterval(renewing),
      stopSweeping,
      () => Promise.all([users.drain(), sessions.drain()]),
      () => relaying.caughtUp(),
      () => relaying.stop(),
      () => bus.close(),
      () => redis?.close(),
      () => db.$disconnect(),
      () => Promise.all([pool.end(), store.close()]),
    ],
  });
});
