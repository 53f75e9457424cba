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
/** Longest life of an access token. */
export const ACCESS_TOKEN_MINUTES = 15;
/** As far as the clocks of two machines may be apart: one whose clock is behind accepts a token for so much longer. */
export const CLOCK_SKEW_MINUTES = 5;
/** What was revoked is remembered this long: every token from before it has then ended, by whoever's clock. */
export const REVOKED_MS = (ACCESS_TOKEN_MINUTES + CLOCK_SKEW_MINUTES) * 60_000;

/** Who sends a request, as their verified token says. */
export interface Caller {
  id: number;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** The account has shown that its address is its own. It counts with the first token after that. */
  isVerified: boolean;
}

declare global {
  namespace Express {
    interface Request {
      caller?: Caller;
    }
  }
}

/** `isSuspended`: the account may do nothing any more, and what it has open ends. */
export interface EndedTokens {
  userId: number;
  sessionId?: string;
  isSuspended?: boolean;
}

export interface Authenticator {
  /** Answers who holds this token. Throws 401 for any token that is not valid here and now (`TokenEnded`), 503 without identity's keys. */
  verify(token: string): Promise<Caller>;
  /** Who sends an `Authorization` header; nobody when there is none. Throws as `verify`. */
  identify(authorization: string | undefined): Promise<Caller | undefined>;
  /** Lets anybody through; a token that is sent must be valid all the same. */
  optional: RequestHandler;
  /** 401 without a valid token. */
  signedIn: RequestHandler;
  /** 401 without a valid token, 403 with another role. */
  role(...roles: Role[]): RequestHandler;
  /** Called after tokens ended before their time: those of one session, or all that an account had. */
  onEnded(listener: (ended: EndedTokens) => void): void;
  /** False until this instance has learnt what was revoked. */
  ready(): boolean;
  stop(): Promise<void>;
}

export interface AuthOptions {
  /** Where identity is: its one base URL, or its instances. */
  identity: string | Instances;
  internalToken: Secrets;
  bus: Bus;
  log: Logger;
}

/** 401 for a token that identity did sign, and whose time or session has ended: its holder can have another one. */
export class TokenEnded extends HttpProblem<'unauthenticated'> {
  constructor() {
    super(401, 'unauthenticated');
  }
}

/** 403: whose account is suspended gets no other token, and is no guest by it. */
const accountSuspended = () => new HttpProblem(403, 'account-suspended');

/** What ends tokens of an account that were given before. */
const GENERATION_RAISED = z.union([RoleChangedV1, UserErasedV1, PasswordChangedV1, EmailChangedV1, UserSuspendedV1]);

const CACHE_SIZE = 10_000;
const CACHE_MS = 30_000;

/** The token itself is at fault; anything else (no answer from identity, a bad key set) passes by itself. */
const isBadToken = (error: unknown): boolean =>
  error instanceof ZodError ||
  (error instanceof errors.JOSEError &&
    error.constructor !== errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid));

type Cached = { caller: Caller; until: number };

/**
 * RS256 tokens of identity, checked against its JWKS (rotation: an unknown key id asks again, at most every 10 s).
 * Verified tokens are cached by the whole token for 30 s; what ends tokens, heard on the bus, empties the cache.
 */
export async function authenticator(options: AuthOptions): Promise<Authenticator> {
  const { internalToken, bus, log } = options;
  const identity = asInstances(options.identity);
  const keys = createRemoteJWKSet(new URL('http://identity/.well-known/jwks.json'), {
    cooldownDuration: 10_000,
    timeoutDuration: 3_000,
    // Any instance that is ready: all have the same keys.
    [customFetch]: (url, init) => fetchFrom(identity, new URL(url).pathname, init),
  });
  const cache = new Map<string, Cached>();
  const revokedSessions = new Map<string, number>();
  const generations = new Map<number, number>();
  /** Accounts whose tokens ended by a suspension, and until when such a token may come. */
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
        algorithms: ['RS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
      });
      claims = TokenClaims.parse(payload);
    } catch (error) {
      // Thrown after the signature was found good, and with it who signed for whom.
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
    // A token that is in the cache was found well formed before.
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

/** The caller of a route behind `signedIn`. */
export function callerOf(req: Request): Caller {
  if (!req.caller) throw new HttpProblem(401, 'unauthenticated');
  return req.caller;
}
