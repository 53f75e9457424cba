import { authenticator } from '@beltway/kit/auth';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/open-bus';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { config } from './config.ts';
import { createProxy } from './proxy.ts';

run(async () => {
  const settings = config();
  const log = logger('gateway', settings.LOG_LEVEL);
  const bus = await openBus(settings, log);
  await bus.ensureTopics(['identity.events']);
  const auth = await authenticator({
    identityUrl: settings.IDENTITY_URL,
    internalToken: settings.INTERNAL_TOKEN,
    bus,
    log,
  });
  const proxy = createProxy(settings, log);

  await serve({
    log,
    handler: createApp({ config: settings, log, auth, proxy }),
    port: settings.PORT,
    host: settings.HOST,
    attach: (server) => server.on('upgrade', proxy.upgrade),
    close: [() => auth.stop(), () => bus.close()],
  });
});
