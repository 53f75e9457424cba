import type { Request, Response } from 'express';
import type { Pool } from 'pg';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { CodeNeeded } from '@beltway/contracts/identity/accounts';
import { languageOf } from '@beltway/kit/language';
import { requestIdOf } from '@beltway/kit/app';
import { unauthenticated } from '@beltway/kit/problems';
import { isFromThisMachine } from '@beltway/kit/this-machine';
import { rememberLanguage } from '../account/language.ts';
import { isDemo } from '../demo.ts';
import type { Totps } from '../totp/totps.ts';
import { asUser, type UserRow } from '../user/queries.ts';
import { refuseSuspended } from '../user/suspension.ts';
import type { IssueToken } from './access-tokens.ts';
import type { RefreshCookie } from './cookie.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { recordDone } from './recorded.ts';
import { deviceName } from './device-name.ts';
import type { RefreshTokens, Started } from './refresh-tokens.ts';
import type { Sessions } from './stream.ts';

/** What this request proved. Only a password alone asks for the second step. */
type Proof =
  | { by: 'password' | 'password and code' | 'passkey' | 'session and password' }
  /** Continues a session. */
  | { by: 'refresh token'; session: Started };

export type Entry = Proof & {
  /** Read after the proof began. */
  user: UserRow;
  /** A moment before `user` was read. */
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
  /** Whether this copy has demo accounts. */
  demo: boolean;
}

/** The one place that starts and continues sessions. */
export function sessionDoor({ pool, issue, refresh, sessions, cookie, devices, totp, demo }: DoorDeps) {
  /** The password of demo accounts is public, so only this machine may use them. */
  const mayDemo = (req: Request): boolean => demo && isFromThisMachine(req);

  /** The cookie that names it is replaced: only the list of sessions could still end it (OWASP ASVS 5.0, 7.2.4). */
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

  return {
    mayDemo,

    /**
     * Answers a session, or returns what the second step needs and answers nothing. Throws 401 for a demo account from another machine,
     * 403 `account-suspended`.
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
      if (proof.by !== 'refresh token') devices.set(req, res, user.email);
      const { sessionId, token, endsAt } =
        proof.by === 'refresh token' ? proof.session : await refresh.start(user, deviceName(req.get('user-agent')));
      // A change of the password ends all sessions itself.
      if (proof.by !== 'refresh token' && proof.by !== 'session and password') await endReplaced(req, res);
      cookie.set(res, token, endsAt);
      if (proof.by !== 'refresh token') recordDone(req, res, 'sign-in', user.id, proof.by);
      res.status(status).json({ token: await issue(user, sessionId, at), user: asUser(user) } satisfies Session);
      return undefined;
    },
  };
}

export type SessionDoor = ReturnType<typeof sessionDoor>;
