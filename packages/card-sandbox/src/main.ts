import { logger } from '@beltway/kit/logger';
import { openPool } from '@beltway/kit/postgres';
import { run, serve } from '@beltway/kit/serve';
import { sandboxConfig } from './config.ts';
import { createSandbox } from './server.ts';

run(async () => {
  const config = sandboxConfig();
  const log = logger('sandbox', config.LOG_LEVEL);
  const pool = openPool(config.DATABASE_URL);
  const sandbox = createSandbox({
    pool,
    log,
    secretKey: config.STRIPE_SECRET_KEY,
    publishableKey: config.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    webhookUrl: config.WEBHOOK_URL,
    webhookEvents: config.WEBHOOK_EVENTS.split(',').map((type) => type.trim()),
  });
  await sandbox.start();
  await serve({
    log,
    handler: sandbox.handler,
    port: config.SANDBOX_PORT,
    host: config.HOST,
    close: [() => sandbox.stop(), () => pool.end()],
  });
});
