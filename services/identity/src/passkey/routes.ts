import { Router } from 'express';
import { z } from 'zod';
import {
  AddPasskeyBody,
  PasskeyLoginBody,
  PasskeyOptionsBody,
  RenamePasskeyBody,
  type Passkeys,
} from '@beltway/contracts/identity/passkeys';
import { PasswordBody } from '@beltway/contracts/identity/credentials';
import { callerOf } from '@beltway/kit/auth';
import { notFound } from '@beltway/kit/problems';
import { ownAccount } from '../account/own-account.ts';
import type { Db } from '../db.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { RefreshCookie } from '../session/cookie.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import type { SessionDoor } from '../session/door.ts';
import { recordDone } from '../session/recorded.ts';
import type { addressLimits } from '../throttle/addresses.ts';
import type { Accounts } from '../user/accounts.ts';
import { userById } from '../user/queries.ts';
import type { PasskeysOfAccounts } from './passkeys.ts';

export interface PasskeyRoutesOptions {
  db: Db;
  accounts: Accounts;
  access: AccessTokens;
  door: SessionDoor;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  limits: ReturnType<typeof addressLimits>;
  passkeys: PasskeysOfAccounts;
  clock: () => Date;
  /** Called after a mail is queued. */
  onMail: () => void;
}

const idOf = (text: string | undefined): string => {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw notFound('passkey');
  return id.data;
};

/** Sign-in without a password: services/identity/PRODUCT.md#passkeys */
export function passkeyRoutes(options: PasskeyRoutesOptions): Router {
  const { db, accounts, access, door, cookie, devices, limits, passkeys, clock, onMail } = options;
  const { callersRow, proven } = ownAccount({ db, accounts, devices });
  const router = Router();

  /** 200 PasskeyOptions, the same for all visitors, so they do not reveal which accounts have passkeys. */
  router.post('/api/auth/login/passkey/options', cookie.guard, limits.passkeyOptions, async (_req, res) => {
    res.json(await passkeys.optionsToSignIn());
  });

  /** 200 `{ token, user }`, like `/login`. 401 `passkey-refused`, whatever the reason; 403 `account-suspended`; 429. */
  router.post('/api/auth/login/passkey', cookie.guard, limits.login, async (req, res) => {
    const at = clock();
    const user = await passkeys.signIn(PasskeyLoginBody.parse(req.body), (id) => userById(db, id));
    await door.open(req, res, { by: 'passkey', user, at });
  });

  /**
   * 200 PasskeyOptions, after the password was checked. 400 at `password`, 409 `demo-account`, `too-many-passkeys`;
   * 429.
   */
  router.post(
    '/api/auth/passkeys/options',
    cookie.guard,
    access.signedIn,
    limits.login,
    limits.account,
    async (req, res) => {
      const { password } = PasskeyOptionsBody.parse(req.body);
      res.json(await passkeys.optionsToAdd(await proven(req, password)));
    },
  );

  /** 201 Passkey, and mails the owner; idempotent. 400 at `name` or `credential`, 409 `too-many-passkeys`. */
  router.post('/api/auth/passkeys', cookie.guard, access.signedIn, limits.account, async (req, res) => {
    const body = AddPasskeyBody.parse(req.body);
    const added = await passkeys.add(await callersRow(req), body);
    recordDone(req, res, 'passkey-added', callerOf(req).id);
    onMail();
    res.status(201).json(added);
  });

  /** 200 Passkeys. */
  router.get('/api/auth/passkeys', access.signedIn, async (req, res) => {
    res.json({ items: await passkeys.of(callerOf(req).id) } satisfies Passkeys);
  });

  /** 200 Passkey. 404 for another account's passkey. */
  router.patch('/api/auth/passkeys/:passkeyId', cookie.guard, access.signedIn, limits.account, async (req, res) => {
    const id = idOf(req.params['passkeyId'] as string | undefined);
    const { name } = RenamePasskeyBody.parse(req.body);
    const renamed = await passkeys.rename(callerOf(req).id, id, name);
    if (!renamed) throw notFound('passkey');
    res.json(renamed);
  });

  /** 204: removes the passkey from the account. 400 at `password`, 409 `demo-account`. */
  router.delete(
    '/api/auth/passkeys/:passkeyId',
    cookie.guard,
    access.signedIn,
    limits.login,
    limits.account,
    async (req, res) => {
      await proven(req, PasswordBody.parse(req.body).password);
      recordDone(req, res, 'passkey-removed', callerOf(req).id);
      await passkeys.remove(callerOf(req).id, idOf(req.params['passkeyId'] as string | undefined));
      res.status(204).end();
    },
  );

  return router;
}
