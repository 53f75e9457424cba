import { runService } from '@beltway/kit/service';
import { servicePool } from '@beltway/kit/service/parts';
import { sandboxConfig } from './config.ts';
import { createSandbox } from './server.ts';

runService('sandbox', sandboxConfig, async (service) => {
  const { config, log } = service;
  const sandbox = createSandbox({
    pool: servicePool(service),
    log,
    secretKey: config.STRIPE_SECRET_KEY,
    publishableKey: config.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    webhookUrl: config.WEBHOOK_URL,
    publicUrl: config.PUBLIC_URL,
    webhookEvents: config.WEBHOOK_EVENTS.split(',').map((type) => type.trim()),
  });
  await sandbox.start();
  service.onStop(sandbox);
  return { handler: sandbox.handler };
});
