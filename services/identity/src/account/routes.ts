import { randomUUID } from 'node:crypto';
import { Router, type Response } from 'express';
import { z } from 'zod';
import type { Pool } from 'pg';
import {
  ChangeEmailBody,
  ChangePasswordBody,
  PasswordBody,
  RequestPasswordResetBody,
  ResetPasswordBody,
  VerifyEmailBody,
} from '@beltway/contracts/identity/credentials';
import type { EmailState } from '@beltway/contracts/identity/accounts';
import { Rejected } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, badField, notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { RefreshCookie } from '../session/cookie.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { recordDone } from '../session/recorded.ts';
import type { SessionDoor } from '../session/door.ts';
import { addressOf, type addressLimits } from '../throttle/addresses.ts';
import { emailTaken, isEmailTaken, type Accounts } from '../user/accounts.ts';
import type { UserCommand } from '../user/events.ts';
import { userById, type UserRow } from '../user/queries.ts';
import {
  boundOfChange,
  boundOfReset,
  boundOfVerification,
  lastChange,
  pendingChange,
  type AccountFacts,
} from './bound.ts';
import type { AccountLinks, Link } from './links.ts';
import { queueAskedMail } from './mail-queue.ts';
import { ownAccount } from './own-account.ts';
import { liveSessions } from './sessions.ts';
import type { Sessions } from '../session/stream.ts';
import type { Users } from '../user/stream.ts';
import { excluded } from '@beltway/kit/kysely';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

export interface AccountRoutesOptions {
  db: Db;
  pool: Pool;
  users: Users;
  sessions: Sessions;
  accounts: Accounts;
  access: AccessTokens;
  door: SessionDoor;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  links: AccountLinks;
  limits: ReturnType<typeof addressLimits>;
  clock: () => Date;
  /** Called after a mail is queued. */
  onMail: () => void;
}

const linkInvalid = () => new HttpProblem(400, 'link-invalid');

const factsOf = ({ id, email, credentialId }: UserRow): AccountFacts => ({ userId: id, email, credentialId });

/** The account changed in the meantime, which made the link invalid. */
function ended(error: unknown): never {
  throw error instanceof Rejected && error.code === 'link-invalid' ? linkInvalid() : error;
}

/**
 * Email addresses, passwords and sessions of accounts: services/identity/PRODUCT.md#addresses-passwords-and-sessions
 */
export function accountRoutes(options: AccountRoutesOptions): Router {
  const { db, pool, users, sessions, accounts, access, door, cookie, devices, links, limits, clock, onMail } = options;
  const router = Router();

  const { callersRow, proven } = ownAccount({ db, accounts, devices });
  const read = (token: string, ...kinds: Link['kind'][]): Link => {
    const link = links.read(token);
    if (!link || !kinds.includes(link.kind)) throw linkInvalid();
    return link;
  };
  const decide = (user: Pick<UserRow, 'id'>, command: UserCommand, commandId: string, res: Response) =>
    users.handle(user.id, command, { commandId, correlationId: requestIdOf(res), userId: user.id });

  /**
   * 204: marks the link's email address as verified, for the account that the link was mailed for; idempotent. 400
   * `link-invalid`. 409 `other-account` if another account is signed in. 409 `email-taken`. Verifying requires both a
   * session of the account and access to its mailbox: if an account uses a stranger's email address, the stranger's
   * click does not verify the address (docs/decisions/0086).
   */
  router.post('/api/auth/verify-email', cookie.guard, access.signedIn, limits.account, async (req, res) => {
    const { token } = VerifyEmailBody.parse(req.body);
    const link = read(token, 'verify-email', 'change-email');
    const user = await userById(db, link.userId);
    if (!user) throw linkInvalid();
    const change = link.kind === 'change-email' ? await lastChange(pool, user.id) : undefined;
    const bound = link.kind === 'verify-email' ? boundOfVerification(factsOf(user)) : change && boundOfChange(change);
    if (!bound || !links.isGood(token, link, bound)) throw linkInvalid();
    if (callerOf(req).id !== user.id) throw new HttpProblem(409, 'other-account');
    if (!change) await decide(user, { type: 'VerifyEmail', email: user.email }, randomUUID(), res).catch(ended);
    else {
      const { id, email, before, credentialId } = change;
      await decide(user, { type: 'ChangeEmail', email, before, credentialId }, `change-email\0${id}`, res).catch(
        (error: unknown) => {
          if (isEmailTaken(error)) throw emailTaken();
          ended(error);
        },
      );
    }
    if (change) recordDone(req, res, 'address-changed', user.id);
    res.status(204).end();
  });

  /**
   * 202: sends the registration mail again, unless the hourly limit is reached or the email address is already
   * verified.
   */
  router.post(
    '/api/auth/request-email-verification',
    cookie.guard,
    access.signedIn,
    limits.account,
    async (req, res) => {
      const { id: userId, email, emailVerifiedAt } = await callersRow(req);
      if (emailVerifiedAt === null) await queueAskedMail(pool, { kind: 'verify-email', userId, email });
      onMail();
      res.status(202).end();
    },
  );

  /**
   * 202, always and after the same work, so the response does not reveal whether an account exists. The account is
   * looked up later, when the mail is sent. 503 while too many mails wait.
   */
  router.post('/api/auth/request-password-reset', cookie.guard, limits.reset, async (req, res) => {
    const { email } = RequestPasswordResetBody.parse(req.body);
    await queueAskedMail(pool, { kind: 'reset-password', userId: null, email });
    onMail();
    res.status(202).end();
  });

  /**
   * 204: sets the password and ends all sessions. 400 `link-invalid`, or 400 at `password`; 429. A link works once, and
   * becomes invalid when the password or the email address changes.
   */
  router.post('/api/auth/reset-password', cookie.guard, limits.login, async (req, res) => {
    const { token, password } = ResetPasswordBody.parse(req.body);
    const link = read(token, 'reset-password');
    const user = await userById(db, link.userId);
    if (!user || isDemo(user.email) || !links.isGood(token, link, boundOfReset(factsOf(user)))) throw linkInvalid();
    const from = { requestId: requestIdOf(res), address: addressOf(req), device: devices.read(req, user.email) };
    await accounts.changePassword(user, { password, field: 'password', by: 'reset' }, from).catch(ended);
    recordDone(req, res, 'password-reset', user.id);
    cookie.clear(res);
    res.status(204).end();
  });

  /**
   * 200 `{ token, user }` of a new session. All earlier sessions end. 400 at `password` or `newPassword`, 409
   * `changed-meanwhile`, `demo-account`; 429.
   */
  router.post('/api/auth/change-password', cookie.guard, access.signedIn, limits.login, async (req, res) => {
    const { password, newPassword } = ChangePasswordBody.parse(req.body);
    if (password === newPassword) throw badField('newPassword', 'invalid.password-same');
    const before = await proven(req, password);
    const { email } = before;
    const at = clock();
    const from = { requestId: requestIdOf(res), address: addressOf(req), device: devices.read(req, email) };
    const to = { password: newPassword, field: 'newPassword', by: 'owner' } as const;
    const user = await accounts.changePassword(before, to, from).catch((error: unknown) => {
      if (!(error instanceof Rejected)) throw error;
      throw new HttpProblem(409, 'changed-meanwhile.account');
    });
    recordDone(req, res, 'password-changed', user.id);
    await door.open(req, res, { by: 'session and password', user, at });
  });

  /**
   * 202: mails a link to the new email address and a notice to the current one. The account changes to the new address
   * when it is verified. The answer does not reveal whether the new address has an account. Only the latest request is
   * valid. 400 at `email` or `password`, 409 `demo-account`, 429.
   */
  router.post(
    '/api/auth/change-email',
    cookie.guard,
    access.signedIn,
    limits.login,
    limits.account,
    async (req, res) => {
      const { email, password } = ChangeEmailBody.parse(req.body);
      const user = await proven(req, password);
      const { id: userId, email: before, credentialId } = user;
      if (email === before) throw badField('email', 'invalid.address-same');
      if (isDemo(email)) throw badField('email', 'invalid.address-refused');
      await queueAskedMail(pool, { kind: 'change-email', userId, email }, (tx) =>
        kysely(tx)
          .insertInto('emailChanges')
          .values({ userId, id: randomUUID(), email, before, credentialId, askedAt: clock() })
          .onConflict((conflict) =>
            conflict.column('userId').doUpdateSet((eb) => ({
              ...excluded(eb, ['email', 'before', 'credentialId', 'askedAt']),
              // A repeated request keeps the link that was already mailed.
              id: sql<string>`case when (email_changes.email, email_changes.before, email_changes.credential_id)
                is distinct from (excluded.email, excluded.before, excluded.credential_id) then excluded.id else email_changes.id end`,
            })),
          )
          .execute(),
      );
      await queueAskedMail(pool, { kind: 'change-asked', userId, email: before, detail: email });
      onMail();
      res.status(202).end();
    },
  );

  /** 200 EmailState. */
  router.get('/api/auth/email', access.signedIn, async (req, res) => {
    const user = await callersRow(req);
    const change = await pendingChange(pool, factsOf(user));
    const isVerified = user.emailVerifiedAt !== null;
    res.json({ email: user.email, isVerified, pending: change?.email ?? null } satisfies EmailState);
  });

  /** 200 AccountSessions: the devices on which the caller is signed in. */
  router.get('/api/auth/sessions', access.signedIn, async (req, res) => {
    const { id, sessionId, role } = callerOf(req);
    res.json({ items: await liveSessions(pool, { userId: id, sessionId, role, now: clock() }) });
  });

  const endSession = (userId: number, sessionId: string, res: Response) =>
    sessions.handle(
      sessionId,
      { type: 'RevokeSession', userId, reason: 'ended-elsewhere' },
      { commandId: `revoke\0${sessionId}`, correlationId: requestIdOf(res), userId },
    );

  /**
   * 204: ends one of the caller's sessions everywhere; idempotent. 400 at `password`, 404 for another account's
   * session, 409 `demo-account`.
   */
  router.delete(
    '/api/auth/sessions/:sessionId',
    cookie.guard,
    access.signedIn,
    limits.login,
    limits.account,
    async (req, res) => {
      await proven(req, PasswordBody.parse(req.body).password);
      const id = z.uuid().safeParse(req.params['sessionId']);
      const { id: userId } = callerOf(req);
      const found = id.success ? await db.session.findUnique({ where: { id: id.data } }) : null;
      if (found?.userId !== userId) throw notFound('session');
      recordDone(req, res, 'session-ended', userId);
      await endSession(userId, found.id, res);
      res.status(204).end();
    },
  );

  /** 204: ends all of the caller's sessions except the current one. 400 at `password`, 409 `demo-account`. */
  router.delete('/api/auth/sessions', cookie.guard, access.signedIn, limits.login, limits.account, async (req, res) => {
    await proven(req, PasswordBody.parse(req.body).password);
    const { id: userId, sessionId, role } = callerOf(req);
    recordDone(req, res, 'other-sessions-ended', userId);
    // The list is limited to one page, so the loop repeats until no other session is left.
    for (;;) {
      const others = (await liveSessions(pool, { userId, sessionId, role, now: clock() })).filter(
        (one) => !one.isCurrent,
      );
      if (others.length === 0) break;
      await Promise.all(others.map(({ id }) => endSession(userId, id, res)));
    }
    res.status(204).end();
  });

  return router;
}
