import { codeOf, type ProblemText } from '@beltway/contracts/problems/texts';
import { Router } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { IdText } from '@beltway/contracts/common/basics';
import { asLanguage } from '@beltway/contracts/common/languages';
import type { AccountAddress } from '@beltway/contracts/realtime/notifications';
import {
  EraseAccountBody,
  Erasures,
  KnownAccounts,
  MAX_ERASURES,
  MAX_EXPORTED,
  PersonPart,
  type PersonExport,
} from '@beltway/contracts/identity/people';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { internalOnly, type InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem, notFound, unauthenticated, unavailable } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { isFromThisMachine } from '@beltway/kit/this-machine';
import { kysely, type Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import { pendingChange } from '../account/bound.ts';
import { passkeysOf } from '../passkey/passkeys.ts';
import { atField } from '../account/own-account.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { RefreshCookie } from '../session/cookie.ts';
import { recordDone } from '../session/recorded.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { addressOf, type addressLimits } from '../throttle/addresses.ts';
import type { Totps } from '../totp/totps.ts';
import type { Accounts } from '../user/accounts.ts';
import { engagementPart } from '../engagement/queries.ts';
import { referralsPart } from '../engagement/referral/queries.ts';
import { moderationPart } from '../moderation/queries.ts';
import { asUser, userById } from '../user/queries.ts';
import { eraseAgain, eraseUser, obstaclesOf, ownObstacles } from './erase.ts';
import type { Users } from '../user/stream.ts';
import { sql } from 'kysely';

/** Maximum concurrent exports per process. An export collects several megabytes from five services. */
const MAX_EXPORTS = 4;

export interface PersonRoutesOptions {
  db: Db;
  pool: Pool;
  log: Logger;
  users: Users;
  accounts: Accounts;
  access: AccessTokens;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  limits: ReturnType<typeof addressLimits>;
  totp: Pick<Totps, 'stateOf'>;
  /** The services that hold personal data. */
  services: Record<'catalog' | 'ticketing' | 'payments' | 'media' | 'realtime', Pick<InternalClient, 'get'>>;
  internalToken: Secrets;
  demo: boolean;
  clock: () => Date;
}

/** Export and erasure of an account: services/identity/PRODUCT.md#your-data */
export function personRoutes(options: PersonRoutesOptions): Router {
  const { db, pool, log, users, accounts, access, cookie, devices, limits, totp, services, demo, clock } = options;
  const router = Router();
  let exports = 0;

  /**
   * 200 a file with all of the caller's data. 429 beyond the hourly limit. 503 if a service does not respond, because a
   * partial file would mislead.
   */
  router.get('/api/users/me/export', access.signedIn, limits.export, async (req, res) => {
    const user = await userById(db, callerOf(req).id);
    if (!user) throw unauthenticated();
    if (exports >= MAX_EXPORTS) throw unavailable('exports', 5);
    exports++;
    try {
      const part = async (service: Pick<InternalClient, 'get'>) =>
        PersonPart.parse(await service.get(`/internal/people/${user.id}`));
      const sessions = await db.session.findMany({
        where: { userId: user.id },
        orderBy: { createdAt: 'desc' },
        take: 500,
      });
      const { id: userId, email, credentialId } = user;
      const change = await pendingChange(pool, { userId, email, credentialId });
      const language = await db.accountLanguage.findUnique({ where: { userId } });
      const [moderation, engagement, referrals, catalog, ticketing, payments, media, realtime] = await Promise.all([
        moderationPart(pool, user.id, MAX_EXPORTED),
        engagementPart(pool, user.id),
        referralsPart(pool, user.id),
        part(services.catalog),
        part(services.ticketing),
        part(services.payments),
        part(services.media),
        part(services.realtime),
      ]);
      const body: PersonExport = {
        exportedAt: clock().toISOString(),
        account: asUser(user),
        pendingEmail: change?.email ?? null,
        language: asLanguage(language?.language) ?? null,
        codesAtSignIn: await totp.stateOf(user),
        moderation,
        engagement,
        referrals,
        sessions: sessions.map(({ createdAt, endsAt, device }) => ({
          startedAt: createdAt.toISOString(),
          endsAt: endsAt.toISOString(),
          device,
        })),
        passkeys: await passkeysOf(pool, user.id),
        ...{ catalog, ticketing, payments, media, realtime },
      };
      res
        .set({
          'cache-control': 'private, no-store',
          'content-disposition': 'attachment; filename="beltway-data.json"',
        })
        .json(body);
    } finally {
      exports--;
    }
  });

  /**
   * 204: erases the account. The account's sessions end immediately, and the services erase its data within minutes.
   * 400 at `password` for a wrong password. 409 with the reason while others depend on the account. 503 when another
   * service does not respond.
   */
  router.delete('/api/users/me', cookie.guard, access.signedIn, limits.login, async (req, res) => {
    const { password } = EraseAccountBody.parse(req.body);
    const user = await userById(db, callerOf(req).id);
    if (!user) throw unauthenticated();
    const { id, email, role } = user;
    const from = { address: addressOf(req), device: devices.read(req, email), demo: demo && isFromThisMachine(req) };
    const proven = await accounts.login({ email, password }, from).catch(atField(req));
    // The caller's account was erased in the meantime, and its email address now belongs to another account.
    if (proven.id !== id) throw unauthenticated();
    const { ticketing, payments } = services;
    const obstacles = ownObstacles({ role: role as 'user', isDemo: isDemo(email) });
    if (obstacles.length === 0) obstacles.push(...(await obstaclesOf({ ticketing, payments }, id)));
    const [first] = obstacles;
    const all = obstacles.map(({ message }) => message);
    if (first)
      throw HttpProblem.received(409, { ...first, code: codeOf(first.text as ProblemText), detail: all.join(' ') });
    await eraseUser(users, id, requestIdOf(res));
    recordDone(req, res, 'account-erased', id);
    cookie.clear(res);
    res.status(204).end();
  });

  /** An account's email address and language, for services that send mail. 404 for an erased account. */
  router.get('/internal/people/:id/address', internalOnly(options.internalToken), async (req, res) => {
    const user = await userById(db, IdText.parse(req.params['id']));
    if (!user) throw notFound('account');
    const isVerified = user.emailVerifiedAt !== null;
    const known = await db.accountLanguage.findUnique({ where: { userId: user.id } });
    const language = asLanguage(known?.language) ?? 'en';
    res.set('cache-control', 'no-store').json({ email: user.email, isVerified, language } satisfies AccountAddress);
  });

  router.use('/internal/erasures', internalOnly(options.internalToken), (_req, res, next) => {
    res.setHeader('cache-control', 'no-store');
    next();
  });
  router.get('/internal/erasures', async (req, res) => {
    const { after } = z.object({ after: z.coerce.number().int().min(0).default(0) }).parse(req.query);
    const rows = await kysely(pool)
      .selectFrom('erasedUsers')
      .select(['userId', 'erasedAt'])
      .where('userId', '>', after)
      .orderBy('userId')
      .limit(MAX_ERASURES)
      .execute();
    res.json({
      items: rows.map(({ userId, erasedAt }) => ({ userId, erasedAt: erasedAt.toISOString() })),
    } satisfies Erasures);
  });
  router.post('/internal/erasures', async (req, res) => {
    await eraseAgain(pool, users, Erasures.parse(req.body).items);
    res.status(204).end();
  });
  router.post('/internal/known-accounts', internalOnly(options.internalToken), async (req, res) => {
    await skipNumbersUpTo({ pool, log }, KnownAccounts.parse(req.body).highest);
    res.status(204).end();
  });

  return router;
}

/** How many further numbers to skip, for accounts registered since then and for numbers that are being assigned now. */
const MARGIN = 1_000;

/**
 * Moves the sequence of account numbers above the highest number that another service knows. If this database was
 * restored from an older backup, that number is higher than ours. Without the move, new accounts would get the orders
 * and events of lost accounts.
 */
async function skipNumbersUpTo({ pool, log }: { pool: Pool; log: Logger }, highest: number): Promise<void> {
  const { rows } = await sql`select setval('user_ids', ${highest + MARGIN})
    where (select case when is_called then last_value else 0 end from user_ids) < ${highest}::integer`.execute(
    kysely(pool),
  );
  if (rows.length > 0)
    log.warn({ highest }, 'another service knows accounts that were lost here; skipping their numbers');
}
