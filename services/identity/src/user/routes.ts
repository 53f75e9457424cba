import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { IdText } from '@beltway/contracts/common/basics';
import { ChangeRoleBody } from '@beltway/contracts/identity/accounts';
import { Rejected, fingerprintOf } from '@beltway/event-store';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { idempotencyKeyOf } from '@beltway/kit/idempotency-key';
import { forbidden, notFound } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import { asUser, userById } from './queries.ts';
import type { Users } from './stream.ts';

export interface UserRoutesOptions {
  db: Db;
  users: Users;
  access: AccessTokens;
}

export function userRoutes({ db, users, access }: UserRoutesOptions): Router {
  const router = Router();

  /** 200 the account. One's own, or anybody's for an admin; 403 for all others, whether it exists or not. */
  router.get('/api/users/:id', access.signedIn, async (req, res) => {
    const id = IdText.parse(req.params['id']);
    const caller = callerOf(req);
    if (caller.id !== id && caller.role !== 'admin') throw forbidden();
    const user = await userById(db, id);
    if (!user) throw notFound('account');
    res.setHeader('cache-control', 'no-store').json(asUser(user));
  });

  /**
   * 200 the account with its new role; admins only, and not for themselves (so the last admin cannot shut the door behind them).
   * The tokens the user holds end at once everywhere; the next refresh brings one with the new role.
   */
  router.patch('/api/users/:id/role', access.role('admin'), async (req, res) => {
    const id = IdText.parse(req.params['id']);
    const { role } = ChangeRoleBody.parse(req.body);
    const caller = callerOf(req);
    if (caller.id === id) throw forbidden('own-role');
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
    const user = await userById(db, id);
    if (!user) throw notFound('account');
    res.setHeader('cache-control', 'no-store').json(asUser(user));
  });

  return router;
}
