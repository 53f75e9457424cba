import type { Request, Response } from 'express';
import type { Pool } from 'pg';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { CodeNeeded } from '@beltway/contracts/identity/accounts';
import { languageOf } from '@beltway/kit/language';
import { requestIdOf } from '@beltway/kit/app';
import { callerOf } from '@beltway/kit/auth';
import { unauthenticated } from '@beltway/kit/problems';
import { isFromThisMachine } from '@beltway/kit/this-machine';
import { rememberLanguage } from '../account/language.ts';
import { isDemo } from '../demo.ts';
import type { Totps } from '../totp/totps.ts';
import { asActing, type UserRow } from '../user/queries.ts';
import { refuseSuspended } from '../user/suspension.ts';
import type { IssueToken } from './access-tokens.ts';
import { actingRole, secretProvedBy } from './acting-role.ts';
import type { RefreshCookie } from './cookie.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { recordDone } from './recorded.ts';
import { deviceName } from './device-name.ts';
import type { RefreshTokens, Started } from './refresh-tokens.ts';
import type { Sessions } from './stream.ts';

/** How this request authenticated. Only `password` requires a second step. */
type Proof =
  | { by: 'password' | 'password and code' | 'passkey' | 'session and password' }
  /** Continues an existing session. */
  | { by: 'refresh token'; session: Started };

export type Entry = Proof & {
  /** Read after the authentication began. */
  user: UserRow;
  /** A time before `user` was read. */
  at: Date;
  status?: number;
};

export interface DoorDeps {
  pool: Pool;
  issue: IssueToken;
  refresh: RefreshTokens;
  sessions: Sessions;
  cookie: RefreshCookie;
  devices: DeviceCookie;
  totp: Totps;
  /** Whether this installation has demo accounts. */
  demo: boolean;
}

/** The only code that starts or continues sessions. */
export function sessionDoor({ pool, issue, refresh, sessions, cookie, devices, totp, demo }: DoorDeps) {
  /** The password of demo accounts is public, so only this machine may use them. */
  const mayDemo = (req: Request): boolean => demo && isFromThisMachine(req);

  /**
   * Ends the session of the cookie that is about to be replaced. Afterwards this browser could no longer end that
   * session; only the list of sessions could (OWASP ASVS 5.0, 7.2.4).
   */
  async function endReplaced(req: Request, res: Response): Promise<void> {
    const token = cookie.read(req);
    const former = token && (await refresh.sessionOf(token));
    if (!former) return;
    const { sessionId, userId } = former;
    await sessions.handle(
      sessionId,
      { type: 'RevokeSession', userId, reason: 'replaced' },
      { commandId: `revoke\0${sessionId}`, correlationId: requestIdOf(res), userId },
    );
  }

  /** The authenticator secret that a new session has proved. Both a code and a passkey prove it. */
  const secretProved = ({ by }: Proof, req: Request, user: UserRow): Promise<string | undefined> => {
    if (by === 'session and password') return secretProvedBy(pool, callerOf(req).sessionId);
    return by === 'password' ? Promise.resolve(undefined) : totp.secretIdOf(user.id);
  };

  return {
    mayDemo,

    /**
     * Opens a session and responds with its token. If a second step is needed, returns the challenge without
     * responding. Throws 401 for a demo account from another machine and for a session that `actingRole` refuses, 403
     * `account-suspended`.
     */
    async open(
      req: Request,
      res: Response,
      { user, at, status = 200, ...proof }: Entry,
    ): Promise<CodeNeeded | undefined> {
      if (isDemo(user.email) && !mayDemo(req)) throw unauthenticated();
      refuseSuspended(user, at);
      const needed = proof.by === 'password' ? await totp.challenge(user) : undefined;
      if (needed) return needed;
      await rememberLanguage(pool, user.id, languageOf(req));
      const { sessionId, token, endsAt } =
        proof.by === 'refresh token'
          ? proof.session
          : await refresh.start(user, deviceName(req.get('user-agent')), await secretProved(proof, req, user));
      const role = await actingRole(pool, user, sessionId);
      if (proof.by !== 'refresh token') devices.set(req, res, user.email);
      // Changing the password already ends all sessions.
      if (proof.by !== 'refresh token' && proof.by !== 'session and password') await endReplaced(req, res);
      cookie.set(res, token, endsAt);
      if (proof.by !== 'refresh token') recordDone(req, res, 'sign-in', user.id, proof.by);
      const answer: Session = { token: await issue({ ...user, role }, sessionId, at), user: asActing(user, role) };
      res.status(status).json(answer);
      return undefined;
    },
  };
}

export type SessionDoor = ReturnType<typeof sessionDoor>;
