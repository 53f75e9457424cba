import type { RequestHandler } from 'express';
import { SignJWT, errors, jwtVerify } from 'jose';
import type { Pool } from 'pg';
import { ZodError } from 'zod';
import type { Role } from '@beltway/contracts/common/basics';
import { TokenClaims } from '@beltway/contracts/identity/accounts';
import { ACCESS_TOKEN_MINUTES, AUDIENCE, ISSUER, type Caller } from '@beltway/kit/auth';
import { bearerToken } from '@beltway/kit/bearer';
import { forbidden, unauthenticated } from '@beltway/kit/problems';
import { isDemo } from '../demo.ts';
import type { Keyring } from '../keys/keyring.ts';
import type { UserRow } from '../user/queries.ts';

/**
 * RS256, 15 minutes counted from `at`: a moment before the session and the user were looked up, so that a service that receives a
 * revocation and remembers it for as long (`REVOKED_MS`) outlives every token given before it.
 */
export type IssueToken = (user: UserRow, sessionId: string, at: Date) => Promise<string>;

/** For door.ts alone, which checks who may have a token. */
export const tokenIssuer =
  (keys: Keyring): IssueToken =>
  async (user, sessionId, at) => {
    const { kid, privateKey } = await keys.signer();
    const iat = Math.floor(at.getTime() / 1_000);
    const claims: Omit<TokenClaims, 'sub' | 'iat' | 'exp'> = {
      sid: sessionId,
      role: user.role as Role,
      name: user.name,
      email: user.email,
      gen: user.generation,
      // The demo accounts have no mailbox.
      email_verified: user.emailVerifiedAt !== null || isDemo(user.email),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setSubject(String(user.id))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(iat)
      .setExpirationTime(iat + ACCESS_TOKEN_MINUTES * 60)
      .sign(privateKey);
  };

export interface AccessTokens {
  /** Who holds this token, checked against our own tables: what was revoked a moment ago is refused here at once. */
  verify(token: string): Promise<Caller>;
  signedIn: RequestHandler;
  role(...roles: Role[]): RequestHandler;
}

export function accessTokens({ keys, pool, clock }: { keys: Keyring; pool: Pool; clock: () => Date }): AccessTokens {
  async function claimsOf(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await keys.verifier(kid);
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        { algorithms: ['RS256'], issuer: ISSUER, audience: AUDIENCE, requiredClaims: ['exp'], currentDate: clock() },
      );
      return TokenClaims.parse(payload);
    } catch (error) {
      // Anything else (the database is away) is not the token's fault.
      throw error instanceof errors.JOSEError || error instanceof ZodError ? unauthenticated() : error;
    }
  }

  async function verify(token: string): Promise<Caller> {
    const claims = await claimsOf(token);
    // Text: each call of a signed-in caller asks it.
    const { rowCount } = await pool.query({
      name: 'token-in-force',
      text: `select from users where id = $1 and generation <= $2
             and not exists (select from revoked_sessions where session_id = $3)`,
      values: [Number(claims.sub), claims.gen, claims.sid],
    });
    if (rowCount === 0) throw unauthenticated();
    const { sub, email, name, role, sid: sessionId, email_verified: isVerified } = claims;
    return { id: Number(sub), email, name, role, sessionId, isVerified };
  }

  const signedIn: RequestHandler = async (req, _res, next) => {
    const token = bearerToken(req.get('authorization'));
    if (!token) throw unauthenticated();
    req.caller = await verify(token);
    next();
  };

  return {
    verify,
    signedIn,
    role:
      (...roles) =>
      async (req, res, next) => {
        await signedIn(req, res, (error?: unknown) => {
          if (error) return next(error);
          next(req.caller && roles.includes(req.caller.role) ? undefined : forbidden('role'));
        });
      },
  };
}
