import type { Express } from 'express';
import type { Pool } from 'pg';
import type { Store } from '@beltway/event-store';
import { createServiceApp } from '@beltway/kit/app';
import { databaseChecks } from '@beltway/kit/service/parts';
import { limitsOn } from '@beltway/kit/config';
import type { Logger } from '@beltway/kit/logger';
import { jobRoutes } from '@beltway/kit/service/jobs';
import type { Redis } from '@beltway/kit/redis';
import { accountLinks } from './account/links.ts';
import { accountRoutes } from './account/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { openAudits } from './audit/stream.ts';
import { contactRoutes } from './contact/routes.ts';
import { demoOn, type Config } from './config.ts';
import type { Db } from './db.ts';
import { openChallenges } from './engagement/challenge/stream.ts';
import { askBlocks } from './engagement/connection/queries.ts';
import { connectionRoutes } from './engagement/connection/routes.ts';
import { referralRoutes } from './engagement/referral/routes.ts';
import { engagementRoutes } from './engagement/routes.ts';
import { openEngagements } from './engagement/stream.ts';
import { createKeyring, type NewKey } from './keys/keyring.ts';
import { keyRoutes } from './keys/routes.ts';
import { openCases } from './moderation/cases.ts';
import { moderationRoutes, type ModerationRoutesOptions } from './moderation/routes.ts';
import { openCaseStreams } from './moderation/stream.ts';
import { passkeys } from './passkey/passkeys.ts';
import { passkeyRoutes } from './passkey/routes.ts';
import { createHasher, type Hasher } from './password/hasher.ts';
import { accessTokens, tokenIssuer } from './session/access-tokens.ts';
import { refreshCookie } from './session/cookie.ts';
import { deviceCookie } from './session/device-cookie.ts';
import { sessionDoor } from './session/door.ts';
import { refreshTokens } from './session/refresh-tokens.ts';
import { revocationRoutes } from './session/revocations.ts';
import { authRoutes } from './session/routes.ts';
import { openSessions } from './session/stream.ts';
import { addressLimits } from './throttle/addresses.ts';
import { CODES, loginWaits } from './throttle/waits.ts';
import { totpRoutes } from './totp/routes.ts';
import { openTotpFactors } from './totp/stream.ts';
import { totps } from './totp/totps.ts';
import { accounts } from './user/accounts.ts';
import { activeAccountRoutes } from './user/active.ts';
import { userRoutes } from './user/routes.ts';
import { openUsers } from './user/stream.ts';
import { personRoutes, type PersonRoutesOptions } from './person/routes.ts';

export interface Deps {
  config: Config;
  log: Logger;
  store: Store;
  pool: Pool;
  db: Db;
  clock?: () => Date;
  hasher?: Hasher;
  /** Makes a signing key. Default: a P-256 key (`keyring.ts`). */
  makeKey?: () => Promise<NewKey>;
  /** Holds the counters that all instances share. */
  redis?: Redis | undefined;
  services: PersonRoutesOptions['services'] & ModerationRoutesOptions['services'];
  /** Called after a message of the contact form is stored. */
  onContact?: () => void;
  /** Called after a mail about an account is queued. */
  onAccountMail?: () => void;
  /** Adds further routes. */
  mount?: (app: Express) => void;
}

/** The whole service without its listener. `app` handles HTTP; main and the tests use the other members. */
export function createApp({
  config,
  log,
  store,
  pool,
  db,
  clock = () => new Date(),
  hasher,
  makeKey,
  redis,
  services,
  onContact = () => undefined,
  onAccountMail = () => undefined,
  mount,
}: Deps) {
  const users = openUsers(store);
  const sessions = openSessions(store);
  const audits = openAudits(store);
  const cases = openCaseStreams(store);
  const factors = openTotpFactors(store);
  const engagements = openEngagements(store);
  const challenges = openChallenges(store);
  const keys = createKeyring({
    pool,
    secret: config.KEY_ENCRYPTION_SECRET,
    log,
    clock,
    ...(makeKey && { make: makeKey }),
  });
  const access = accessTokens({ keys, pool, clock });
  const people = accounts({
    db,
    pool,
    users,
    hasher:
      hasher ??
      createHasher({
        running: config.HASHES_RUNNING,
        waiting: config.HASHES_WAITING,
        waitingEach: config.HASHES_WAITING_EACH,
      }),
    waits: loginWaits(pool, clock),
  });

  const blocked = askBlocks(services.realtime);
  const limits = addressLimits(limitsOn(config), redis);
  const cookie = refreshCookie(config.PUBLIC_URL);
  const devices = deviceCookie({ secret: config.KEY_ENCRYPTION_SECRET, publicUrl: config.PUBLIC_URL, clock });
  const demo = demoOn(config);
  const internalToken = config.INTERNAL_TOKEN;
  const refresh = refreshTokens({ pool, db, clock });
  const links = accountLinks(config.KEY_ENCRYPTION_SECRET, clock);
  const secondStep = totps({
    ...{ pool, factors, secret: config.KEY_ENCRYPTION_SECRET, log, clock },
    waits: loginWaits(pool, clock, CODES),
  });
  const issue = tokenIssuer(keys);
  const door = sessionDoor({ pool, issue, refresh, sessions, cookie, devices, totp: secondStep, demo });

  const app: Express = createServiceApp({
    service: 'identity',
    log,
    bodyLimit: 16 * 1024,
    checks: databaseChecks(pool),
    routes: (router) => {
      mount?.(router);
      router.use(keyRoutes(keys));
      router.use(revocationRoutes({ pool, internalToken, clock }));
      router.use(
        authRoutes({
          db,
          pool,
          accounts: people,
          sessions,
          access,
          door,
          refresh,
          cookie,
          devices,
          secret: config.KEY_ENCRYPTION_SECRET,
          limits,
          totp: secondStep,
          clock,
        }),
      );
      router.use(
        accountRoutes({
          ...{
            db,
            pool,
            users,
            sessions,
            accounts: people,
            access,
            door,
            cookie,
            devices,
            links,
            limits,
            clock,
          },
          onMail: onAccountMail,
        }),
      );
      router.use(
        passkeyRoutes({
          ...{ db, accounts: people, access, door, cookie, devices, limits, clock },
          passkeys: passkeys({ pool, publicUrl: config.PUBLIC_URL, clock }),
          onMail: onAccountMail,
        }),
      );
      router.use(
        totpRoutes({
          ...{ db, pool, accounts: people, access, cookie, devices, limits, clock },
          ...{ totp: secondStep, audit: audits },
        }),
      );
      router.use(
        personRoutes({
          ...{
            db,
            pool,
            log,
            users,
            accounts: people,
            access,
            cookie,
            devices,
            limits,
            totp: secondStep,
            services,
            internalToken,
            demo,
            clock,
          },
        }),
      );
      router.use(engagementRoutes({ pool, engagements, access, blocked, clock }));
      router.use(connectionRoutes({ pool, engagements, access, limit: limits.connections, blocked, clock }));
      router.use(referralRoutes({ pool, access, limits, publicUrl: config.PUBLIC_URL, clock }));
      router.use(userRoutes({ db, users, access }));
      router.use(activeAccountRoutes({ pool, internalToken, clock }));
      router.use(jobRoutes({ pool, internalToken }));
      router.use(auditRoutes({ pool, audit: audits, access, internalToken, clock }));
      router.use(
        moderationRoutes({
          ...{ pool, audit: audits, access, links, limits, services, internalToken, clock },
          cases: openCases({ pool, cases, users, clock }),
        }),
      );
      router.use(
        contactRoutes({
          pool,
          access,
          limits: [limits.contact, limits.contactDay],
          isMailed: config.SUPPORT_EMAIL !== undefined,
          onMessage: onContact,
        }),
      );
    },
  });
  return {
    app,
    accounts: people,
    keys,
    users,
    sessions,
    audits,
    cases,
    engagements,
    challenges,
    links,
    factors,
    totp: secondStep,
  };
}
