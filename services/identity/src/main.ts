import { startRelay } from '@beltway/kit/bus/relay';
import { skipSaidNumbers } from '@beltway/kit/bus/said-numbers';
import { serviceMail } from '@beltway/kit/mail/service';
import { runService } from '@beltway/kit/service';
import { serviceBus, servicePool, serviceRedis, serviceStore } from '@beltway/kit/service/parts';
import { instances } from '@beltway/kit/instances';
import { internalClient } from '@beltway/kit/internal';
import { queueMailsOfEvents } from './account/mail-queue.ts';
import { startAccountMails } from './account/mail-sender.ts';
import { createApp } from './app.ts';
import { config as readIdentityConfig, demoOn } from './config.ts';
import { startContactMail } from './contact/mail.ts';
import { openPrisma } from './db.ts';
import { startJobs } from './jobs.ts';
import { followDecisions } from './moderation/authors.ts';
import { TOPICS, startConsumers } from './consumers.ts';
import { createDemoAccounts } from './demo.ts';
import { startChallenges } from './engagement/challenge/checks.ts';
import { followErasures, startChecks } from './engagement/checks.ts';
import { followConnections } from './engagement/connection/looks.ts';
import { followAttendance } from './engagement/referral/rewards.ts';
import { TOPIC, toMessages } from './publish.ts';
import { startEndingSuspensions } from './user/suspension.ts';
import { endSessionsOfOldPasswords, endSessionsOfSuspended, endTokensOfLostCodes } from './session/end-sessions.ts';

/** Timeout for sending one mail. */
const EXCHANGE_MS = 60_000;
/** Timeout for a service's answer about a person's data. */
const ASKED_MS = 15_000;

runService('identity', readIdentityConfig, async (service) => {
  const { config, log } = service;
  const pool = servicePool(service);
  const store = serviceStore(service, toMessages);
  const db = openPrisma(pool);
  service.onStop(() => db.$disconnect());
  const redis = await serviceRedis(service);
  const bus = await serviceBus(service, [TOPIC, ...TOPICS]);
  await skipSaidNumbers({ ...{ bus, pool, log, topic: TOPIC }, category: 'user', sequence: 'user_ids' });

  const relay = await startRelay({ store, bus, pool, log, topic: TOPIC });
  service.onStop(relay);
  service.onStop(() => relay.caughtUp()); // publishes the remaining messages before the relay stops
  const { SUPPORT_EMAIL: team } = config;
  const samples = () => import('./mail-samples.ts').then((module) => module.samples);
  const { mailer, mount } = serviceMail({ service: 'identity', config, pool, exchangeMs: EXCHANGE_MS, samples });
  const contactMail = team === undefined ? undefined : startContactMail(pool, log, mailer, team);
  if (contactMail) service.onStop(contactMail);
  const onContact = () => contactMail?.wake();
  const onAccountMail = () => accountMails.wake();
  // Startup does not wait for these services, because they wait for identity. Calls to them are rare.
  const asked = (name: string, urls: readonly string[]) => {
    const found = instances({ service: name, urls, log });
    service.onStop(found);
    return internalClient(found, config.INTERNAL_TOKEN, ASKED_MS);
  };
  const services = {
    catalog: asked('catalog', config.CATALOG_URL),
    ticketing: asked('ticketing', config.TICKETING_URL),
    payments: asked('payments', config.PAYMENTS_URL),
    media: asked('media', config.MEDIA_URL),
    realtime: asked('realtime', config.REALTIME_URL),
  };
  const created = createApp({ config, log, store, pool, db, redis, services, onContact, onAccountMail, mount });
  const { app, accounts, keys, users, sessions, audits, cases, engagements, challenges, links, factors, totp } =
    created;
  const clock = () => new Date();
  const { PUBLIC_URL: publicUrl } = config;
  const accountMails = startAccountMails({ pool, log, mailer, links, publicUrl, support: team, clock });
  service.onStop(accountMails, queueMailsOfEvents(store, clock, onAccountMail));
  service.onStop(
    endSessionsOfOldPasswords(store, { pool, sessions }),
    endSessionsOfSuspended(store, { pool, sessions }),
    endTokensOfLostCodes(store, users),
    followDecisions(store, users),
    startEndingSuspensions({ pool, users, clock, log }),
  );
  service.onStop(() =>
    Promise.all([users, sessions, audits, cases, factors, engagements, challenges].map((streams) => streams.drain())),
  );
  service.onStop(
    await startConsumers({ bus, pool, log }),
    startChecks(log, { pool, engagements, clock }),
    ...startChallenges(store, log, { pool, challenges, engagements, clock }),
    followErasures(store, { pool, engagements }),
    followConnections(store, pool),
    followAttendance(store, { pool, engagements }),
  );
  if (demoOn(config)) await createDemoAccounts(accounts, pool, log);

  service.onStop(...startJobs(log, { pool, keys, totp }));

  return { handler: app };
});
