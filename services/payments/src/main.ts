import { highestAccountOf } from '@beltway/kit/personal-data';
import { PLANS_FOR_ARRAYS } from '@beltway/event-store';
import { startRelay } from '@beltway/kit/bus/relay';
import { internalClient } from '@beltway/kit/internal';
import { serviceMail } from '@beltway/kit/mail/service';
import { runService } from '@beltway/kit/service';
import { serviceAuth } from '@beltway/kit/service/auth';
import { followErasures } from '@beltway/kit/service/erasures';
import { readiness, serviceBus, serviceInstances, servicePool, serviceStore } from '@beltway/kit/service/parts';
import { createApp } from './app.ts';
import { config as readPaymentsConfig } from './config.ts';
import { startConsumers } from './consumers.ts';
import { openDb } from './db.ts';
import { showMoney } from './metrics.ts';
import { startForgettingUnpaid } from './ads/orders.ts';
import { openPayments } from './payment/stream.ts';
import { openProvider } from './provider/provider.ts';
import { followRevenue } from './revenue/follow.ts';
import { startCanceling } from './work/canceled-events.ts';
import { publish, toMessages } from './publish.ts';
import { openPayoutAccounts } from './payout/stream.ts';
import { startAccountChecks } from './work/payout-accounts.ts';
import { startProviderFees } from './work/provider-fees.ts';
import { startPayouts } from './work/send-payouts.ts';
import { startShares } from './work/shares.ts';
import { EXCHANGE_MS, startAdMails } from './work/ad-mails.ts';
import { startReconciler } from './work/reconciler.ts';
import { PERSONAL, erasePerson } from './person.ts';
import { startRefunds } from './work/refunds.ts';
import { startReports } from './work/reports.ts';
import { startStrays } from './work/strays.ts';

runService('payments', readPaymentsConfig, async (service) => {
  const { config, log } = service;
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = config;
  const pool = servicePool(service, PLANS_FOR_ARRAYS);
  const store = serviceStore(service, toMessages);
  const db = openDb(pool);
  service.onStop(() => db.$disconnect());
  const bus = await serviceBus(service, ['payments.events', 'ticketing.events', 'catalog.events', 'identity.events']);

  service.onStop(await startRelay({ store, bus, pool, log, topic: 'payments.events', publish }));
  service.onStop(followRevenue(store));
  const payments = openPayments(store);
  service.onStop(() => payments.drain());
  const payoutAccounts = openPayoutAccounts(store);
  service.onStop(() => payoutAccounts.drain());
  const provider = openProvider({
    ...{ secretKey, webhookSecret: config.STRIPE_WEBHOOK_SECRET, apiBase },
    connectWebhookSecret: config.STRIPE_CONNECT_WEBHOOK_SECRET,
  });
  const deps = { log, pool, db, payments, payoutAccounts, provider, secretKey };
  const refunds = startRefunds(deps);
  service.onStop(refunds, startReconciler(deps), startCanceling(deps), startStrays(deps), startReports(deps));
  const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: support } = config;
  const samples = () => import('./ads/mail-samples.ts').then((module) => module.samples);
  const { mailer, mount } = serviceMail({ service: 'payments', config, pool, exchangeMs: EXCHANGE_MS, samples });
  const adMails = startAdMails(deps, mailer, { publicUrl, support });
  service.onStop(adMails, startForgettingUnpaid(pool, log));
  const wake = { wakeRefunds: refunds.wake, wakeAdMails: adMails.wake };
  service.onStop(...(await startConsumers({ ...deps, bus, ...wake })));
  const identity = await serviceInstances(service, 'identity', config.IDENTITY_URL);
  service.onStop(
    await followErasures({
      ...{ pool, bus, log, group: 'payments.erasures' },
      identity: internalClient(identity, config.INTERNAL_TOKEN),
      erase: (userId) => erasePerson(pool, userId),
      highestAccount: highestAccountOf(PERSONAL),
    }),
  );
  service.onStop(startShares(deps), startProviderFees(deps), startAccountChecks(deps));
  if (config.PAYOUTS === 'on') service.onStop(startPayouts(deps));
  service.onStop(showMoney(pool));

  const ticketing = internalClient(
    await serviceInstances(service, 'ticketing', config.TICKETING_URL),
    config.INTERNAL_TOKEN,
  );
  const auth = await serviceAuth(service, bus, identity);
  // The service is ready even while identity is down, because the provider's webhooks need no access token.
  const handler = createApp({
    ...deps,
    auth,
    ticketing,
    internalToken: config.INTERNAL_TOKEN,
    publicUrl,
    publishableKey: config.STRIPE_PUBLISHABLE_KEY,
    sandbox: apiBase !== undefined,
    checks: readiness(pool, bus),
    mount,
  });
  return { handler };
});
