import type { Request } from 'express';
import { callerOf } from '@beltway/kit/auth';
import { HttpProblem, badField, unauthenticated } from '@beltway/kit/problems';
import type { Db } from '../db.ts';
import { isDemo } from '../demo.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { addressOf } from '../throttle/addresses.ts';
import type { Accounts } from '../user/accounts.ts';
import { userById, type UserRow } from '../user/queries.ts';

/** A wrong password ends no session: it stands at its field. Waits and faults stay what they are. */
function atField(error: unknown): never {
  throw error instanceof HttpProblem && error.code === 'wrong-credentials'
    ? badField('password', 'invalid.password-wrong')
    : error;
}

/** The account of who calls. */
export function ownAccount({ db, accounts, devices }: { db: Db; accounts: Accounts; devices: DeviceCookie }) {
  async function callersRow(req: Request): Promise<UserRow> {
    const user = await userById(db, callerOf(req).id);
    if (!user) throw unauthenticated();
    return user;
  }

  return {
    callersRow,
    /** The account, after its password was shown again. 400 at `password` for a wrong one, 409 for a demo account. */
    async proven(req: Request, password: string): Promise<UserRow> {
      const { id, email } = await callersRow(req);
      if (isDemo(email)) throw new HttpProblem(409, 'demo-account');
      const from = { address: addressOf(req), device: devices.read(req, email), demo: false };
      const user = await accounts.login({ email, password }, from).catch(atField);
      // Another account has the address by now: this one was erased or renamed in between.
      if (user.id !== id) throw unauthenticated();
      return user;
    },
  };
}
