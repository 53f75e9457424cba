import { authenticator } from '@beltway/kit/auth';
import { instances } from '@beltway/kit/instances';
import { canWait } from '@beltway/kit/health';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { openRedis } from '@beltway/kit/redis';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { readRealtimeConfig } from './config.ts';

run(async () => {
  const config = readRealtimeConfig();
  const log = logger('realtime', config.LOG_LEVEL);
  const pool = openPool(config.DATABASE_URL, { log });
  const bus = await openBus(config, log);
  await bus.ensureTopics(['realtime.events', 'identity.events']);
  const auth = await authenticator({
    identity: instances({ urls: config.IDENTITY_URL, log }),
    internalToken: config.INTERNAL_TOKEN,
    bus,
    log,
  });

  const redis = config.REDIS_URL ? await openRedis({ url: config.REDIS_URL, log }) : undefined;
  const realtime = await createApp({
    log,
    pool,
    bus,
    auth,
    publicUrl: config.PUBLIC_URL,
    instanceUrl: config.INSTANCE_URL,
    redis,
    checks: { database: () => pool.query('select 1'), bus: canWait(() => bus.healthy()), sessions: () => auth.ready() },
  });

  await serve({
    log,
    handler: realtime.handler,
    port: config.SERVICE_PORT,
    host: config.HOST,
    lameDuckMs: config.LAME_DUCK_MS,
    attach: realtime.attach,
    drain: realtime.drain,
    close: [realtime.stop, () => auth.stop(), () => bus.close(), () => redis?.close(), () => pool.end()],
  });
});
