import type { Request, RequestHandler } from 'express';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { z, ZodError } from 'zod';
import {
  EmailChangedV1,
  PasswordChangedV1,
  Revocations,
  RoleChangedV1,
  SessionRevokedV1,
  TokenClaims,
  UserErasedV1,
  UserSuspendedV1,
} from '@beltway/contracts/identity/accounts';
import type { Role } from '@beltway/contracts/common/basics';
import type { Bus, Subscription } from '../bus/bus.ts';
import { bearerToken } from './headers/bearer.ts';
import { asInstances, fetchFrom, type Instances } from './instances/instances.ts';
import { internalClient } from './instances/internal.ts';
import type { Secrets } from '../secrets.ts';
import type { Logger } from '../observe/logger.ts';
import { HttpProblem, forbidden, unauthenticated, unavailable } from './problems.ts';

export const ISSUER = 'beltway';
export const AUDIENCE = 'beltway';
export const SIGNING_ALGORITHM = 'ES256';
/**
 * RS256 is accepted for keys that older versions created. After an update from such a version, the old keys sign for 15
 * minutes and are published for one more hour.
 */
export const ACCEPTED_ALGORITHMS = [SIGNING_ALGORITHM, 'RS256'];
/** Maximum lifetime of an access token. */
export const ACCESS_TOKEN_MINUTES = 15;
/**
 * Assumed maximum clock difference of two machines. A machine whose clock is behind accepts a token longer by this
 * difference.
 */
export const CLOCK_SKEW_MINUTES = 5;
/** How long revocations are kept. After this time, every earlier token has expired according to any clock. */
export const REVOKED_MS = (ACCESS_TOKEN_MINUTES + CLOCK_SKEW_MINUTES) * 60_000;

/** The authenticated caller, from the verified token. */
export interface Caller {
  id: number;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** The account has verified its email address. A change takes effect with the next token. */
  isVerified: boolean;
}

declare global {
  namespace Express {
    interface Request {
      caller?: Caller;
    }
  }
}

/** `isSuspended`: the account is suspended, and its open sessions end. */
export interface EndedTokens {
  userId: number;
  sessionId?: string;
  isSuspended?: boolean;
}

export interface Authenticator {
  /**
   * Verifies a token and returns its caller. Throws 401 for an invalid token (`TokenEnded` if it expired or was
   * revoked), and 503 if identity's keys are unavailable.
   */
  verify(token: string): Promise<Caller>;
  /** Returns the caller of an `Authorization` header, or undefined if there is no header. Throws like `verify`. */
  identify(authorization: string | undefined): Promise<Caller | undefined>;
  /** Allows anonymous requests. If a token is sent, it must be valid. */
  optional: RequestHandler;
  /** Rejects with 401 without a valid token. */
  signedIn: RequestHandler;
  /** Rejects with 401 without a valid token, and with 403 for another role. */
  role(...roles: Role[]): RequestHandler;
  /** Calls `listener` when the tokens of one session or all tokens of an account are revoked. */
  onEnded(listener: (ended: EndedTokens) => void): void;
  /** False until this instance has loaded the revocations. */
  ready(): boolean;
  stop(): Promise<void>;
}

export interface AuthOptions {
  /** Identity's base URL, or its instances. */
  identity: string | Instances;
  internalToken: Secrets;
  bus: Bus;
  log: Logger;
}

/** 401 for a token that identity signed and that has expired or was revoked. The caller can get a new token. */
export class TokenEnded extends HttpProblem<'unauthenticated'> {
  constructor() {
    super(401, 'unauthenticated');
  }
}

/** 403 instead of 401, because a suspended account cannot get a new token and must not be treated as a guest. */
const accountSuspended = () => new HttpProblem(403, 'account-suspended');

/** Events that revoke all earlier tokens of an account. */
const GENERATION_RAISED = z.union([RoleChangedV1, UserErasedV1, PasswordChangedV1, EmailChangedV1, UserSuspendedV1]);

const CACHE_SIZE = 10_000;
const CACHE_MS = 30_000;

/** True if the token itself is invalid. Other errors (no response from identity, an invalid key set) are transient. */
const isBadToken = (error: unknown): boolean =>
  error instanceof ZodError ||
  (error instanceof errors.JOSEError &&
    error.constructor !== errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid));

type Cached = { caller: Caller; until: number };

/**
 * Verifies identity's ES256 tokens against its JWKS. An unknown key id reloads the JWKS, at most every 10 s, so that
 * keys can rotate. Verified tokens are cached for 30 s; a revocation on the bus empties the cache.
 */
export async function authenticator(options: AuthOptions): Promise<Authenticator> {
  const { internalToken, bus, log } = options;
  const identity = asInstances(options.identity);
  const keys = createRemoteJWKSet(new URL('http://identity/.well-known/jwks.json'), {
    cooldownDuration: 10_000,
    timeoutDuration: 3_000,
    // Uses any ready instance, because all have the same keys.
    [customFetch]: (url, init) => fetchFrom(identity, new URL(url).pathname, init),
  });
  const cache = new Map<string, Cached>();
  const revokedSessions = new Map<string, number>();
  const generations = new Map<number, number>();
  /**
   * Suspended accounts, each with the time at which the last of its old tokens expires. Until then, these tokens are
   * rejected.
   */
  const suspended = new Map<number, number>();
  const listeners: Array<Parameters<Authenticator['onEnded']>[0]> = [];
  let loaded = false;
  let stopped = false;

  const revokeSession = (sessionId: string) => revokedSessions.set(sessionId, Date.now() + REVOKED_MS);
  const suspend = (userId: number) => suspended.set(userId, Date.now() + REVOKED_MS);
  const raiseGeneration = (userId: number, generation: number) =>
    generations.set(userId, Math.max(generation, generations.get(userId) ?? 0));

  const tail: Subscription = await bus.tail(['identity.events'], (message) => {
    const session = SessionRevokedV1.safeParse(message);
    if (session.success) revokeSession(session.data.data.sessionId);
    const raised = GENERATION_RAISED.safeParse(message);
    if (raised.success) raiseGeneration(raised.data.data.userId, raised.data.data.generation);
    const isSuspended = raised.data?.type === 'identity.user-suspended';
    if (raised.data && isSuspended) suspend(raised.data.data.userId);
    if (session.success || raised.success) cache.clear();
    const ended = session.success ? session.data.data : raised.data?.data;
    if (ended) for (const listener of listeners) listener({ ...ended, ...(isSuspended && { isSuspended }) });
  });

  const load = async (): Promise<void> => {
    while (!loaded && !stopped) {
      try {
        const known = Revocations.parse(
          await internalClient(identity, internalToken, 2_000).get('/internal/revocations'),
        );
        known.sessions.forEach(revokeSession);
        known.users.forEach(({ userId, generation, isSuspended }) => {
          raiseGeneration(userId, generation);
          if (isSuspended) suspend(userId);
        });
        cache.clear();
        loaded = true;
      } catch (error) {
        log.debug({ err: error }, 'identity does not answer yet');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  void load();

  const sweep = setInterval(() => {
    for (const [sessionId, until] of revokedSessions) if (until < Date.now()) revokedSessions.delete(sessionId);
    for (const [userId, until] of suspended) if (until < Date.now()) suspended.delete(userId);
  }, 60_000).unref();

  const allowed = (claims: TokenClaims) =>
    !revokedSessions.has(claims.sid) && claims.gen >= (generations.get(Number(claims.sub)) ?? 0);

  function remembered(token: string): Caller | undefined {
    const hit = cache.get(token);
    return hit && hit.until > Date.now() ? hit.caller : undefined;
  }

  async function verify(token: string): Promise<Caller> {
    const now = Date.now();
    const known = remembered(token);
    if (known) return known;
    if (!loaded) throw unavailable('sign-in-not-ready', 1);
    let claims: TokenClaims;
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ACCEPTED_ALGORITHMS,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
      });
      claims = TokenClaims.parse(payload);
    } catch (error) {
      // jose throws this only after it has verified the signature and claims.
      if (error instanceof errors.JWTExpired) throw new TokenEnded();
      throw isBadToken(error) ? unauthenticated() : unavailable('sign-in-unchecked');
    }
    if (!allowed(claims)) throw suspended.has(Number(claims.sub)) ? accountSuspended() : new TokenEnded();
    const caller: Caller = {
      id: Number(claims.sub),
      email: claims.email,
      name: claims.name,
      role: claims.role,
      sessionId: claims.sid,
      isVerified: claims.email_verified,
    };
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string);
    cache.set(token, { caller, until: Math.min(claims.exp * 1000, now + CACHE_MS) });
    return caller;
  }

  async function identify(header: string | undefined): Promise<Caller | undefined> {
    if (header === undefined) return undefined;
    // A token in the cache needs no check of its format.
    const known = header.startsWith('Bearer ') ? remembered(header.slice(7)) : undefined;
    if (known) return known;
    const token = bearerToken(header);
    if (!token) throw unauthenticated();
    return verify(token);
  }

  const optional: RequestHandler = async (req, _res, next) => {
    const caller = await identify(req.get('authorization'));
    if (caller) req.caller = caller;
    next();
  };
  const signedIn: RequestHandler = (req, res, next) => {
    if (req.get('authorization') === undefined) throw unauthenticated();
    return optional(req, res, next);
  };

  return {
    verify,
    identify,
    optional,
    signedIn,
    role:
      (...roles) =>
      (req, res, next) =>
        signedIn(req, res, (error?: unknown) => {
          if (error) return next(error);
          next(req.caller && roles.includes(req.caller.role) ? undefined : forbidden('role'));
        }),
    onEnded: (listener) => void listeners.push(listener),
    ready: () => loaded,
    stop: async () => {
      stopped = true;
      clearInterval(sweep);
      await tail.stop();
    },
  };
}

/** Returns the caller of a route that requires `signedIn`. */
export function callerOf(req: Request): Caller {
  if (!req.caller) throw new HttpProblem(401, 'unauthenticated');
  return req.caller;
}
