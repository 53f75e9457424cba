import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import {
  FindAccountBody,
  SetUpTotpBody,
  TurnOffTotpBody,
  TurnOnTotpBody,
  type FoundAccount,
  type RecoveryCodes,
} from '@beltway/contracts/identity/totp';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { forbidden, notFound } from '@beltway/kit/problems';
import { ownAccount } from '../account/own-account.ts';
import { recordAction, type RecordDeps } from '../audit/record.ts';
import type { Db } from '../db.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { RefreshCookie } from '../session/cookie.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { recordDone } from '../session/recorded.ts';
import { addressOf, type addressLimits } from '../throttle/addresses.ts';
import type { Accounts } from '../user/accounts.ts';
import { asUser, userById } from '../user/queries.ts';
import type { Totps } from './totps.ts';

export interface TotpRoutesOptions extends RecordDeps {
  db: Db;
  accounts: Accounts;
  totp: Totps;
  access: AccessTokens;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  limits: ReturnType<typeof addressLimits>;
}

/** Codes at sign-in: services/identity/PRODUCT.md#codes-at-sign-in. The second step itself is in session/routes.ts. */
export function totpRoutes(options: TotpRoutesOptions): Router {
  const { db, accounts, totp, access, cookie, devices, limits } = options;
  const router = Router();
  const { callersRow, proven } = ownAccount({ db, accounts, devices });

  /** 200 TotpState. */
  router.get('/api/auth/totp', access.signedIn, async (req, res) => {
    res.json(await totp.stateOf(await callersRow(req)));
  });

  /**
   * 200 TotpSetup: a secret for an authenticator app. It replaces an unfinished setup. 400 at `password`, 403
   * `not-for-this-role`, 409 `totp-on`, `demo-account`; 429.
   */
  router.post('/api/auth/totp/setup', cookie.guard, access.signedIn, limits.login, limits.account, async (req, res) => {
    const { password } = SetUpTotpBody.parse(req.body);
    res.json(await totp.setUp(await proven(req, password)));
  });

  /** 200 RecoveryCodes: turns codes on. 400 at `code`, 409 `totp-on`, `no-setup`; 429. */
  router.post('/api/auth/totp', cookie.guard, access.signedIn, limits.account, async (req, res) => {
    const { code } = TurnOnTotpBody.parse(req.body);
    const by = { sessionId: callerOf(req).sessionId, requestId: requestIdOf(res) };
    const recoveryCodes = await totp.turnOn(await callersRow(req), code, by);
    recordDone(req, res, 'codes-on', callerOf(req).id);
    res.json({ recoveryCodes } satisfies RecoveryCodes);
  });

  /** 204: turns codes off. Requires a code or a recovery code. 400 at `code`, 409 `totp-off`, 429. */
  router.post('/api/auth/totp/off', cookie.guard, access.signedIn, limits.account, async (req, res) => {
    const { code } = TurnOffTotpBody.parse(req.body);
    await totp.turnOff(await callersRow(req), code, { address: addressOf(req), requestId: requestIdOf(res) });
    recordDone(req, res, 'codes-off', callerOf(req).id);
    res.status(204).end();
  });

  /**
   * 204: turns codes off for an owner who lost both the app and the recovery codes. The audit entry is written first.
   * Idempotent. For admins only, and not for their own account. 404 if the account does not exist.
   */
  router.delete('/api/users/:id/totp', access.role('admin'), async (req, res) => {
    const id = IdText.parse(req.params['id']);
    const { id: adminId } = callerOf(req);
    if (adminId === id) throw forbidden('other-admin');
    const user = await userById(db, id);
    if (!user) throw notFound('account');
    const requestId = requestIdOf(res);
    await recordAction(options, { accountId: adminId, kind: 'totp-taken-off', subject: `account-${id}`, requestId });
    await totp.takeOff(id, adminId, requestId);
    recordDone(req, res, 'codes-taken-off', id);
    res.status(204).end();
  });

  /**
   * 200 FoundAccount, or null if there is none. The audit entry omits a searched email address. Admins only. 400 at
   * `q`.
   */
  router.post('/api/ops/accounts', access.role('admin'), async (req, res) => {
    const { q } = FindAccountBody.parse(req.body);
    const byNumber = IdText.safeParse(q);
    const action = { accountId: callerOf(req).id, kind: 'searched', subject: 'account' } as const;
    const note = byNumber.success ? `account ${byNumber.data}` : 'the address of an account';
    await recordAction(options, { ...action, note, requestId: requestIdOf(res) });
    const row = byNumber.success
      ? await userById(db, byNumber.data)
      : await db.user.findUnique({ where: { email: q } });
    const answer: FoundAccount = { account: null };
    if (row) {
      const { id, name, email, role, createdAt } = asUser(row);
      const { since, recoveryCodesLeft } = await totp.stateOf(row);
      answer.account = { id, name, email, role, createdAt, codesSince: since, recoveryCodesLeft };
    }
    res.setHeader('cache-control', 'no-store').json(answer);
  });

  return router;
}
