import type { Express } from 'express';
import { openStore, PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { authenticator } from '@beltway/kit/auth';
import { databaseClock } from '@beltway/kit/clock';
import { instances } from '@beltway/kit/instances';
import { canWait } from '@beltway/kit/health';
import { internalClient } from '@beltway/kit/internal';
import { logger } from '@beltway/kit/logger';
import { openBus } from '@beltway/kit/bus/open';
import { openPool } from '@beltway/kit/postgres';
import { startRelay } from '@beltway/kit/bus/relay';
import { run, serve } from '@beltway/kit/serve';
import { createApp } from './app.ts';
import { config } from './config.ts';
import { startConsumers } from './consumers.ts';
import { mailPictures } from './mail/pictures.ts';
import { startMail } from './start-mail.ts';
import { networkHolds, startSweeping } from './checkout/network-holds.ts';
import { paymentsClient } from './checkout/payments.ts';
import { startExpiring } from './checkout/expire-holds.ts';
import { startReturning } from './checkout/return.ts';
import { forwardedCommands, openRouting } from './sale/route-to-instance.ts';
import { publishSales } from './sale/publish.ts';
import { openSales } from './sale/sales.ts';
import { STORED_MONEY_EVENTS } from './sale/upcast.ts';
import { openSigner } from './ticket/signing.ts';
import { upcasts } from './upcasts.ts';

/** A mail goes out without its picture rather than wait longer. */
const PICTURE_TIMEOUT_MS = 4_000;

run(async () => {
  const settings = config();
  const log = logger('ticketing', settings.LOG_LEVEL);
  const { DATABASE_URL: url, TICKET_SECRET: ticketSecret, INTERNAL_TOKEN: internalToken } = settings;

  const pool = openPool(url, { log, options: PLANS_FOR_ARRAYS });
  const store = openStore({ url, upcasts, warn: (err, message) => log.warn({ err }, message) });
  const bus = await openBus(settings, log);
  await bus.ensureTopics(['ticketing.events', 'catalog.events', 'payments.events', 'identity.events']);

  const auth = await authenticator({
    identity: instances({ urls: settings.IDENTITY_URL, log }),
    internalToken,
    bus,
    log,
  });
  const payments = paymentsClient(instances({ urls: settings.PAYMENTS_URL, log }), internalToken);
  const media =
    settings.MEDIA_URL &&
    internalClient(instances({ urls: settings.MEDIA_URL, log }), internalToken, PICTURE_TIMEOUT_MS);
  const signer = await openSigner(pool, ticketSecret);
  const local = openSales(store, {
    holdMinutes: settings.HOLD_MINUTES,
    openHolds: settings.MAX_OPEN_HOLDS,
    heldTickets: settings.MAX_HELD_TICKETS,
  });
  const sales = openRouting(settings, local, log);
  const isLimited = settings.BELTWAY_MODE !== 'embedded' || settings.BELTWAY_RATE_LIMITS !== 'off';
  const limits = { pool, log, secret: ticketSecret, max: settings.MAX_HELD_PER_ADDRESS };
  const clock = await databaseClock(pool, log);
  const deps = {
    log,
    pool,
    store,
    sales,
    auth,
    payments,
    networkHolds: isLimited ? networkHolds(limits) : undefined,
    signer,
    ticketSecret,
    publicUrl: settings.PUBLIC_URL,
    mailFrom: settings.MAIL_FROM,
    support: settings.SUPPORT_EMAIL,
    pictures: mailPictures(media ?? null, log),
    clock: clock.now,
    bus,
  };

  const publisher = await startRelay({
    store,
    bus,
    pool,
    log,
    topic: 'ticketing.events',
    publish: publishSales,
    types: STORED_MONEY_EVENTS,
  });
  const expiring = startExpiring(deps);
  const returning = startReturning(deps);
  const sweeping = startSweeping(deps);
  const consumers = await startConsumers({ ...deps, cancelled: returning.wake });
  const mail = startMail(deps, settings);

  const checks = { database: () => pool.query('select 1'), bus: canWait(() => bus.healthy()), auth: auth.ready };
  const mount = (app: Express) => {
    app.use(forwardedCommands(local, internalToken));
    mail.mount(app);
  };
  const app = createApp({ ...deps, internalToken, checks, mount });

  await serve({
    log,
    handler: app,
    port: settings.SERVICE_PORT,
    host: settings.HOST,
    lameDuckMs: settings.LAME_DUCK_MS,
    close: [
      () => Promise.all(consumers.map((consumer) => consumer.stop())),
      () => Promise.all([expiring.stop(), returning.stop(), sweeping.stop(), mail.stop()]),
      () => sales.drain(),
      () => publisher.stop(),
      () => Promise.all([auth.stop(), clock.stop()]),
      () => bus.close(),
      () => Promise.all([store.close(), pool.end()]),
    ],
  });
});
