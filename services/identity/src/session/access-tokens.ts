import type { RequestHandler } from 'express';
import { SignJWT, errors, jwtVerify } from 'jose';
import type { Pool } from 'pg';
import { ZodError } from 'zod';
import type { Role } from '@beltway/contracts/common/basics';
import { TokenClaims } from '@beltway/contracts/identity/accounts';
import { ACCEPTED_ALGORITHMS, ACCESS_TOKEN_MINUTES, AUDIENCE, ISSUER, type Caller } from '@beltway/kit/auth';
import { bearerToken } from '@beltway/kit/bearer';
import { forbidden, unauthenticated } from '@beltway/kit/problems';
import { isDemo } from '../demo.ts';
import type { Keyring } from '../keys/keyring.ts';
import type { UserRow } from '../user/queries.ts';

/**
 * Issues an access token with the role in `user`: ES256, valid for 15 minutes from `at`. `at` must be a time before the
 * session and the user were read. So a service that keeps each revocation for that long (`REVOKED_MS`) rejects every
 * token issued before the revocation.
 */
export type IssueToken = (user: UserRow, sessionId: string, at: Date) => Promise<string>;

/** Only door.ts may call this function, because door.ts checks who may get a token. */
export const tokenIssuer =
  (keys: Keyring): IssueToken =>
  async (user, sessionId, at) => {
    const { kid, alg, privateKey } = await keys.signer();
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
      .setProtectedHeader({ alg, typ: 'JWT', kid })
      .setSubject(String(user.id))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(iat)
      .setExpirationTime(iat + ACCESS_TOKEN_MINUTES * 60)
      .sign(privateKey);
  };

export interface AccessTokens {
  /**
   * The caller that a token identifies, checked against identity's own tables, so that a revocation takes effect
   * immediately.
   */
  verify(token: string): Promise<Caller>;
  signedIn: RequestHandler;
  role(...roles: Role[]): RequestHandler;
}

export function accessTokens({ keys, pool, clock }: { keys: Keyring; pool: Pool; clock: () => Date }): AccessTokens {
  async function claimsOf(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid, alg }) => {
          const key = kid === undefined ? undefined : await keys.verifier(kid, alg);
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: ACCEPTED_ALGORITHMS,
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['exp'],
          currentDate: clock(),
        },
      );
      return TokenClaims.parse(payload);
    } catch (error) {
      // Other errors, such as a lost database connection, must not be reported as an invalid token.
      throw error instanceof errors.JOSEError || error instanceof ZodError ? unauthenticated() : error;
    }
  }

  async function verify(token: string): Promise<Caller> {
    const claims = await claimsOf(token);
    // Plain SQL, because every signed-in request runs it.
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
