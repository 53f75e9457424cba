import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { ChangeRoleBody } from '@beltway/contracts/identity/accounts';
import { Rejected, fingerprintOf } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { HttpProblem, forbidden, notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import { recordDone } from '../session/recorded.ts';
import { asActing, asUser, userById } from './queries.ts';
import type { Users } from './stream.ts';

export interface UserRoutesOptions {
  db: Db;
  users: Users;
  access: AccessTokens;
}

export function userRoutes({ db, users, access }: UserRoutesOptions): Router {
  const router = Router();

  /**
   * 200 the caller's account, or any account if the caller is an admin. 403 for all other accounts, whether or not they
   * exist.
   */
  router.get('/api/users/:id', access.signedIn, async (req, res) => {
    const id = IdText.parse(req.params['id']);
    const caller = callerOf(req);
    if (caller.id !== id && caller.role !== 'admin') throw forbidden();
    const user = await userById(db, id);
    if (!user) throw notFound('account');
    res.setHeader('cache-control', 'no-store').json(caller.id === id ? asActing(user, caller.role) : asUser(user));
  });

  /**
   * 200 the account with its new role. Users may switch their own account between user and business. An admin may
   * change every account except the admin's own, so that the last admin cannot lock everyone out. The changed account's
   * tokens become invalid immediately everywhere; the next refresh issues a token with the new role. 409 for a demo
   * account's own change.
   */
  router.patch('/api/users/:id/role', access.signedIn, async (req, res) => {
    const id = IdText.parse(req.params['id']);
    const caller = callerOf(req);
    const isOwn = caller.id === id;
    if (!isOwn && caller.role !== 'admin') throw forbidden();
    const { role } = ChangeRoleBody.parse(req.body);
    if (isOwn && (caller.role === 'admin' || role === 'admin')) throw forbidden('own-role');
    if (isOwn && isDemo(caller.email)) throw new HttpProblem(409, 'demo-account');
    const key = idempotencyKeyOf(req);
    try {
      await users.handle(
        id,
        { type: 'ChangeRole', role },
        {
          commandId: key ? `role\0${caller.id}\0${key}` : randomUUID(),
          fingerprint: fingerprintOf({ id, role }),
          correlationId: requestIdOf(res),
          userId: caller.id,
        },
      );
    } catch (error) {
      throw error instanceof Rejected && error.code === 'no-such-user' ? notFound('account') : error;
    }
    recordDone(req, res, 'role-changed', id, role);
    const user = await userById(db, id);
    if (!user) throw notFound('account');
    res.setHeader('cache-control', 'no-store').json(asUser(user));
  });

  return router;
}
