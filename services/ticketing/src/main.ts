import type { Express } from 'express';
import { PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { openAllowances, unlimited } from '@beltway/kit/allowances';
import { arrivals } from '@beltway/kit/arrivals';
import { startRelay } from '@beltway/kit/bus/relay';
import { limitsOn } from '@beltway/kit/config';
import { databaseClock } from '@beltway/kit/clock';
import { internalClient } from '@beltway/kit/internal';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import { readiness, serviceBus, serviceInstances, servicePool, serviceStore } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { refuseBehind, refuseWhileCatchingUp } from './behind.ts';
import { config as readTicketingConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openReportPool } from './customer/pool.ts';
import { startCorrections } from './link/address.ts';
import { startClaims } from './link/claims.ts';
import { newestListing } from './listing/listings.ts';
import { eventContacts } from './mail/contacts.ts';
import { mailPictures } from './mail/pictures.ts';
import { startMail } from './start-mail.ts';
import { showHolds } from './metrics.ts';
import { startExpiring, startReturning, startSweeping } from './checkout/jobs.ts';
import { networkHolds } from './checkout/network-holds.ts';
import { paymentsClient } from './checkout/payments.ts';
import { forwardedCommands, openRouting } from './sale/route-to-instance.ts';
import { PERSONAL, erasePerson } from './person.ts';
import { publishSales, toMessages } from './sale/publish.ts';
import { openSales } from './sale/stream.ts';
import { openPapers, openPaperWorkers } from './ticket/papers.ts';
import { openSigner } from './ticket/signing.ts';

runService('ticketing', readTicketingConfig, async (service) => {
  const { config: settings, log } = service;
  const { TICKET_SECRET: ticketSecret, INTERNAL_TOKEN: internalToken } = settings;

  const pool = servicePool(service, PLANS_FOR_ARRAYS);
  const reportPool = openReportPool(settings.DATABASE_URL, log);
  service.onStop(() => reportPool.end());
  const bus = await serviceBus(service, ['ticketing.events', 'catalog.events', 'payments.events', 'identity.events']);
  const identity = await serviceInstances(service, 'identity', settings.IDENTITY_URL);
  // Both calls read the bus, which takes seconds with Kafka, so the calls run concurrently.
  const [auth] = await Promise.all([serviceAuth(service, bus, identity), refuseBehind({ bus, pool, log })]);
  const store = serviceStore(service, toMessages);
  await refuseWhileCatchingUp(store.writers);
  const payments = paymentsClient(await serviceInstances(service, 'payments', settings.PAYMENTS_URL), internalToken);
  const media =
    settings.MEDIA_URL && internalClient(await serviceInstances(service, 'media', settings.MEDIA_URL), internalToken);
  const catalog =
    settings.CATALOG_URL &&
    internalClient(await serviceInstances(service, 'catalog', settings.CATALOG_URL), internalToken);
  const signer = await openSigner(pool, ticketSecret);
  const local = openSales(store, {
    holdMinutes: settings.HOLD_MINUTES,
    openHolds: settings.MAX_OPEN_HOLDS,
    heldTickets: settings.MAX_HELD_TICKETS,
  });
  const sales = await openRouting(service, local);
  const limits = { pool, log, secret: ticketSecret, max: settings.MAX_HELD_PER_ADDRESS };
  const paperWorkers = openPaperWorkers();
  service.onStop(() => paperWorkers.close());
  const clock = await databaseClock(pool, log);
  service.onStop(clock);
  const deps = {
    log,
    pool,
    reportPool,
    store,
    sales,
    auth,
    payments,
    allowances: limitsOn(settings) ? openAllowances(pool, ticketSecret) : unlimited,
    networkHolds: limitsOn(settings) ? networkHolds(limits) : undefined,
    signer,
    ticketSecret,
    publicUrl: settings.PUBLIC_URL,
    mailFrom: settings.MAIL_FROM,
    support: settings.SUPPORT_EMAIL,
    identity: internalClient(identity, internalToken),
    contacts: eventContacts(catalog ?? null, log),
    pictures: mailPictures(media ?? null, log),
    papers: openPapers(paperWorkers.draw),
    clock: clock.now,
    mayArrive: arrivals({ newest: () => newestListing(pool), clock: clock.now }),
    bus,
    changeMailMinutes: settings.CHANGE_MAIL_MINUTES,
  };

  const relay = { store, bus, pool, log, topic: 'ticketing.events', publish: publishSales };
  service.onStop(await startRelay(relay));
  service.onStop(() => sales.drain());
  const returning = startReturning(deps);
  const mail = startMail(deps, settings);
  service.onStop(startExpiring(deps), returning, startSweeping(deps), mail);
  service.onStop(...(await startConsumers({ ...deps, canceled: returning.wake })));
  service.onStop(showHolds(pool));
  service.onStop(await startClaims(deps));
  service.onStop(startCorrections(deps));

  service.onStop(
    await followErasures({
      ...{ pool, bus, log, group: 'ticketing.erasures' },
      identity: deps.identity,
      erase: (userId) => erasePerson(pool, userId),
      highestAccount: highestAccountOf(PERSONAL),
    }),
  );

  const mount = (app: Express) => {
    app.use(forwardedCommands(local, internalToken));
    mail.mount(app);
  };
  return { handler: createApp({ ...deps, internalToken, checks: readiness(pool, bus, auth), mount }) };
});
