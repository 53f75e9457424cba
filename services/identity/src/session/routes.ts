import { Router, type Response } from 'express';
import type { Pool } from 'pg';
import { LoginBody, RegisterBody } from '@beltway/contracts/identity/credentials';
import type { CodeNeeded } from '@beltway/contracts/identity/accounts';
import { LoginCodeBody } from '@beltway/contracts/identity/totp';
import { noteTypedAccount, requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { bearerToken } from '@beltway/kit/bearer';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { recordSecurity } from '@beltway/kit/security-log';
import { HttpProblem, unauthenticated } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import { languageOf } from '@beltway/kit/language';
import type { Db } from '../db.ts';
import { referrerOf } from '../engagement/referral/codes.ts';
import { noteSignup } from '../engagement/referral/hints.ts';
import { addressOf, type addressLimits } from '../throttle/addresses.ts';
import { challengeInvalid, type Totps } from '../totp/totps.ts';
import type { Accounts } from '../user/accounts.ts';
import { asActing, userById } from '../user/queries.ts';
import { isSuspended, refuseSuspended } from '../user/suspension.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { RefreshCookie } from './cookie.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { SessionDoor } from './door.ts';
import type { RevokedFor } from './events.ts';
import { recordDone, sentBy } from './recorded.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Sessions } from './stream.ts';

export interface AuthRoutesOptions {
  db: Db;
  pool: Pool;
  accounts: Accounts;
  sessions: Sessions;
  access: AccessTokens;
  door: SessionDoor;
  refresh: RefreshTokens;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  /** The secret for the digests of networks. */
  secret: Secrets;
  limits: ReturnType<typeof addressLimits>;
  totp: Totps;
  clock: () => Date;
}

/** `/api/auth/*`: services/identity/PRODUCT.md#accounts */
export function authRoutes({
  db,
  pool,
  accounts,
  sessions,
  access,
  door,
  refresh,
  cookie,
  devices,
  secret,
  limits,
  totp,
  clock,
}: AuthRoutesOptions): Router {
  const router = Router();
  router.use('/api/auth', (_req, res, next) => {
    res.setHeader('cache-control', 'no-store');
    next();
  });

  const revoke = (session: { sessionId: string; userId: number }, reason: RevokedFor, res: Response) =>
    sessions.handle(
      session.sessionId,
      { type: 'RevokeSession', userId: session.userId, reason },
      { commandId: `revoke\0${session.sessionId}`, correlationId: requestIdOf(res), userId: session.userId },
    );

  /**
   * 201 `{ token, user }`. 400 with an error for each wrong field, 409 `email-taken`, 422 when the `Idempotency-Key`
   * belongs to a different registration, 429. A repeated registration is a sign-in: 403 `account-suspended`, 409
   * `code-needed`.
   */
  router.post('/api/auth/register', cookie.guard, limits.register, async (req, res) => {
    const at = clock();
    const body = RegisterBody.parse(req.body);
    const key = idempotencyKeyOf(req);
    const { referralCode: code, ...given } = body;
    const referrer = code === undefined ? undefined : await referrerOf(pool, code, at);
    const address = addressOf(req);
    const user = await accounts.register(
      { ...given, ...(code !== undefined && { referral: { code, referrerId: referrer?.id } }) },
      {
        ...{ key, requestId: requestIdOf(res), address, language: languageOf(req) },
        ...{ device: devices.read(req, body.email), demo: door.mayDemo(req) },
      },
    );
    const knownTo = referrer && devices.read(req, referrer.email) !== undefined ? referrer.id : undefined;
    await noteSignup(pool, secret, { userId: user.id, address, knownTo, now: at });
    if (await door.open(req, res, { by: 'password', user, at, status: 201 })) throw codeNeeded();
  });

  /**
   * 200 `{ token, user }`, or CodeNeeded without a session if the account uses codes. 401 `wrong-credentials`, whether
   * or not the account exists. 403 `account-suspended`, only after the right password. 429 with `Retry-After`.
   */
  router.post('/api/auth/login', cookie.guard, limits.login, async (req, res) => {
    const at = clock();
    const body = LoginBody.parse(req.body);
    noteTypedAccount(res, body.email);
    const from = { address: addressOf(req), device: devices.read(req, body.email), demo: door.mayDemo(req) };
    const user = await accounts.login(body, from);
    const needed = await door.open(req, res, { by: 'password', user, at });
    if (needed) res.json(needed satisfies CodeNeeded);
  });

  /**
   * 200 `{ token, user }` for the login challenge and a code or recovery code. 400 at `code` for a wrong or used code.
   * 400 `challenge-invalid`, after which the user must sign in again. 403 `account-suspended`. 429 with `Retry-After`.
   */
  router.post('/api/auth/login/code', cookie.guard, limits.login, async (req, res) => {
    const at = clock();
    const body = LoginCodeBody.parse(req.body);
    const challenged = await totp.challenged(body.challenge);
    const found = challenged && (await userById(db, challenged.userId));
    if (!challenged || found?.credentialId !== challenged.credentialId) throw challengeInvalid();
    refuseSuspended(found, at);
    await totp.answer(challenged, body, { address: addressOf(req), requestId: requestIdOf(res) });
    await door.open(req, res, { by: 'password and code', user: found, at });
  });

  /**
   * 200 `{ token, user }` for the refresh cookie, and replaces the cookie (rules: refresh-tokens.ts). 401 when the
   * cookie is no longer valid.
   */
  router.post('/api/auth/refresh', cookie.guard, async (req, res) => {
    const at = clock();
    const token = cookie.read(req);
    const exchanged = token ? await refresh.exchange(token) : { outcome: 'refused' as const };
    if (exchanged.outcome === 'reused') {
      const { userId: account } = exchanged;
      recordSecurity({ what: 'old-refresh-token', outcome: 'refused', account, ...sentBy(req, res) });
      await revoke(exchanged, 'reuse', res);
    }
    const found = exchanged.outcome === 'fresh' ? await userById(db, exchanged.userId) : null;
    // The password may have changed since the session was read. A session of the old password must not get a token of
    // the new generation.
    const user = exchanged.outcome === 'fresh' && found?.credentialId === exchanged.credentialId ? found : null;
    if (exchanged.outcome !== 'fresh' || !user) {
      cookie.clear(res);
      throw unauthenticated();
    }
    if (isSuspended(user, at)) await revoke({ sessionId: exchanged.sessionId, userId: user.id }, 'suspended', res);
    await door.open(req, res, { by: 'refresh token', session: exchanged, user, at }).catch((error: unknown) => {
      if (error instanceof HttpProblem) cookie.clear(res);
      throw error;
    });
  });

  /**
   * 204, always: ends the session of the refresh cookie and the session of the bearer token, if there are any. In a
   * browser both are the same session.
   */
  router.post('/api/auth/logout', cookie.guard, async (req, res) => {
    const token = cookie.read(req);
    const bearer = bearerToken(req.get('authorization'));
    const byCookie = token && (await refresh.sessionOf(token));
    const byBearer = bearer && (await access.verify(bearer).catch(nobody));
    const ended = byCookie ? byCookie.userId : byBearer && byBearer.id;
    if (ended) recordDone(req, res, 'sign-out', ended);
    if (byCookie) await revoke(byCookie, 'logout', res);
    if (byBearer && byBearer.sessionId !== (byCookie && byCookie.sessionId))
      await revoke({ sessionId: byBearer.sessionId, userId: byBearer.id }, 'logout', res);
    cookie.clear(res);
    res.status(204).end();
  });

  /** 200 the signed-in user's current data. */
  router.get('/api/auth/me', access.signedIn, async (req, res) => {
    const { id, role } = callerOf(req);
    const user = await userById(db, id);
    if (!user) throw unauthenticated();
    res.json(asActing(user, role));
  });

  return router;
}

const codeNeeded = () => new HttpProblem(409, 'code-needed');

/** Ignores an invalid token, which has no session to end. Any other error is thrown, so that the caller tries again. */
function nobody(error: unknown): undefined {
  if (error instanceof HttpProblem && error.status === 401) return undefined;
  throw error;
}
