import { openStore, PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { canWait } from '@beltway/kit/health';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { startRelay } from '@beltway/kit/bus/relay';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { config } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openDb } from './db.ts';
import { openPayments } from './payment/payments.ts';
import { publishPayments } from './payment/publish.ts';
import { openProvider } from './provider/provider.ts';
import { startCancelling } from './work/cancelled-events.ts';
import { upcasts } from './upcasts.ts';
import { startReconciler } from './work/reconciler.ts';
import { startRefunds } from './work/refunds.ts';
import { startReports } from './work/reports.ts';
import { startStrays } from './work/strays.ts';

run(async () => {
  const settings = config();
  const log = logger('payments', settings.LOG_LEVEL);
  const { DATABASE_URL: url, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = settings;

  const pool = openPool(url, { log, options: PLANS_FOR_ARRAYS });
  const db = openDb(pool);
  const store = openStore({ url, upcasts, warn: (err, message) => log.warn({ err }, message) });
  const bus = await openBus(settings, log);
  await bus.ensureTopics(['payments.events', 'ticketing.events', 'catalog.events']);

  const payments = openPayments(store);
  const provider = openProvider({ secretKey, webhookSecret: settings.STRIPE_WEBHOOK_SECRET, apiBase });
  const deps = { log, pool, db, payments, provider, secretKey };

  const publisher = await startRelay({ store, bus, pool, log, topic: 'payments.events', publish: publishPayments });
  const refunds = startRefunds(deps);
  const workers = [refunds, startReconciler(deps), startCancelling(deps), startStrays(deps), startReports(deps)];
  const consumers = await startConsumers({ ...deps, bus, wakeRefunds: refunds.wake });

  const app = createApp({
    ...deps,
    internalToken: settings.INTERNAL_TOKEN,
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
    sandbox: apiBase !== undefined,
    checks: { database: () => pool.query('select 1'), bus: canWait(() => bus.healthy()) },
  });

  await serve({
    log,
    handler: app,
    port: settings.SERVICE_PORT,
    host: settings.HOST,
    lameDuckMs: settings.LAME_DUCK_MS,
    close: [
      () => Promise.all(consumers.map((consumer) => consumer.stop())),
      () => Promise.all(workers.map((worker) => worker.stop())),
      () => payments.drain(),
      () => publisher.stop(),
      () => bus.close(),
      () => Promise.all([store.close(), db.$disconnect().then(() => pool.end())]),
    ],
  });
});
