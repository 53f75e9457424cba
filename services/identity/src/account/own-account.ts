import type { Request } from 'express';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, badField, unauthenticated } from '@beltway/kit/problems';
import { recordSecurity } from '@beltway/kit/security-log';
import type { Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { sentBy } from '../session/recorded.ts';
import { addressOf } from '../throttle/addresses.ts';
import type { Accounts } from '../user/accounts.ts';
import { userById, type UserRow } from '../user/queries.ts';

/**
 * Records a wrong password and turns it into an error of the form field, so that the frontend does not end the session.
 * Other errors, such as 429, are passed on unchanged.
 */
export const atField =
  (req: Request) =>
  (error: unknown): never => {
    if (!(error instanceof HttpProblem && error.code === 'wrong-credentials')) throw error;
    const account = callerOf(req).id;
    recordSecurity({ what: 'wrong-password', outcome: 'refused', account, ...sentBy(req, req.res!) });
    throw badField('password', 'invalid.password-wrong');
  };

/** The caller's account. */
export function ownAccount({ db, accounts, devices }: { db: Db; accounts: Accounts; devices: DeviceCookie }) {
  async function callersRow(req: Request): Promise<UserRow> {
    const user = await userById(db, callerOf(req).id);
    if (!user) throw unauthenticated();
    return user;
  }

  return {
    callersRow,
    /**
     * Returns the account after checking the caller's password. Throws 400 at `password` for a wrong password, 409 for
     * a demo account.
     */
    async proven(req: Request, password: string): Promise<UserRow> {
      const { id, email } = await callersRow(req);
      if (isDemo(email)) throw new HttpProblem(409, 'demo-account');
      const from = { address: addressOf(req), device: devices.read(req, email), demo: false };
      const user = await accounts.login({ email, password }, from).catch(atField(req));
      // In the meantime the caller's account was erased, or its email address was changed. The email address now belongs to
      // another account.
      if (user.id !== id) throw unauthenticated();
      return user;
    },
  };
}
