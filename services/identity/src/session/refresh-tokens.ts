import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { seal, unseal } from '@beltway/kit/secrets';
import type { RowOf } from '@beltway/kit/columns';
import { kysely, type Db } from '../db.ts';
import { refreshTokens as tokens } from '../generated/tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * A session ends after `idleMs` without use, and after `wholeMs` in any case. The limits for admins follow NIST SP
 * 800-63B-4.
 */
const LIFETIME = { idleMs: 30 * DAY_MS, wholeMs: 90 * DAY_MS };
const LIFETIME_OF_ADMINS = { idleMs: HOUR_MS, wholeMs: DAY_MS };
export const lifetimeOf = (role: string) => ((role as Role) === 'admin' ? LIFETIME_OF_ADMINS : LIFETIME);
/** For this long after its exchange, an old token can still be used to get the current token. */
export const GRACE_MS = 10_000;
const PURPOSE = 'refresh successor';

export interface Started {
  sessionId: string;
  token: string;
  /** When the cookie expires. */
  endsAt: Date;
}

export type Exchanged =
  /**
   * `credentialId`: the password that the session began with. The caller checks whether the account still has this
   * password.
   */
  | ({ outcome: 'fresh'; userId: number; credentialId: string } & Started)
  /** The token is unknown or expired, or its session has ended. The user must sign in again. */
  | { outcome: 'refused' }
  /** A token that was exchanged long ago was used again, so there is a stolen copy. The session must be revoked. */
  | { outcome: 'reused'; userId: number; sessionId: string };

type TokenRow = RowOf<typeof tokens>;

const ISSUE = tokens.insert(['hash', 'sessionId', 'issuedAt']);
const REPLACE = tokens.update('hash', ['replacedAt', 'successor']);

/**
 * Refresh tokens: 256 random bits, stored as their sha256. The tokens of a session form a family.
 *
 * - Each exchange replaces the token. A unique index allows one current token per session. It is valid for as long as
 *   the account's role permits (`lifetimeOf`).
 * - If a replaced token is used again, either a thief uses it, or a thief has the current token and the owner uses the
 *   old one. Identity cannot distinguish these cases, so the family is revoked immediately.
 * - But a response may be lost, and two tabs may refresh in the same second. So for ten seconds after a token's
 *   exchange, its holder gets the current token without a new exchange. A thief with a copy of such a token gains only
 *   ten seconds: after the next exchange by thief or owner, the other person holds an old token.
 * - The next token is stored sealed with the token that it replaced, so that it can be returned twice.
 */
export function refreshTokens({ pool, db, clock }: { pool: Pool; db: Db; clock: () => Date }) {
  /**
   * Uses the account's current role. If an account became an admin after a session began, the session has the lifetime
   * for admins.
   */
  const untilOf = (issuedAt: Date, { endsAt, createdAt, role }: { endsAt: Date; createdAt: Date; role: string }) => {
    const { idleMs, wholeMs } = lifetimeOf(role);
    return new Date(Math.min(issuedAt.getTime() + idleMs, createdAt.getTime() + wholeMs, endsAt.getTime()));
  };

  return {
    /** Starts a session with its first token, after this password and this authenticator secret were proved. */
    async start(
      { id: userId, credentialId, role }: { id: number; credentialId: string; role: string },
      device: string,
      totpSecretId?: string,
    ): Promise<Started> {
      const sessionId = randomUUID();
      const token = newToken();
      const now = clock();
      const endsAt = new Date(now.getTime() + lifetimeOf(role).wholeMs);
      const first = { hash: hashOf(token), issuedAt: now };
      await db.session.create({
        data: {
          ...{ id: sessionId, userId, createdAt: now, endsAt, credentialId, device },
          ...{ totpSecretId: totpSecretId ?? null, tokens: { create: first } },
        },
      });
      return { sessionId, token, endsAt: untilOf(now, { endsAt, createdAt: now, role }) };
    },

    /** The session of a current or replaced token. Used for signing out. */
    async sessionOf(token: string): Promise<{ sessionId: string; userId: number } | undefined> {
      const found = await db.refreshToken.findUnique({ where: { hash: hashOf(token) }, select: { session: true } });
      return found ? { sessionId: found.session.id, userId: found.session.userId } : undefined;
    },

    /** Exchanges a token for the next one. Exchanges within one session are serialized. */
    exchange: (token: string): Promise<Exchanged> =>
      transaction(pool, async (tx) => {
        const session = await kysely(tx)
          .selectFrom('sessions')
          .innerJoin('users', 'users.id', 'sessions.userId')
          .select(['sessions.id', 'userId', 'endsAt', 'sessions.credentialId', 'sessions.createdAt', 'role'])
          .select(({ exists, selectFrom }) =>
            exists(
              selectFrom('revokedSessions as r').select('r.sessionId').whereRef('r.sessionId', '=', 'sessions.id'),
            ).as('revoked'),
          )
          .where('sessions.id', '=', ({ selectFrom }) =>
            selectFrom('refreshTokens').select('sessionId').where('hash', '=', hashOf(token)),
          )
          .forUpdate('sessions')
          .executeTakeFirst();
        // A separate statement after the lock, so that it sees what the previous lock holder wrote.
        const row = session && (await find(tx, token));
        if (!session || !row || session.revoked) return { outcome: 'refused' };
        const { id: sessionId, userId, credentialId } = session;
        const now = clock();
        if (untilOf(row.issuedAt, session) <= now) return { outcome: 'refused' };

        if (row.replacedAt) {
          if (now.getTime() - row.replacedAt.getTime() > GRACE_MS) return { outcome: 'reused', userId, sessionId };
          const inForce = await newest(tx, token, row);
          return {
            outcome: 'fresh',
            userId,
            credentialId,
            sessionId,
            token: inForce.token,
            endsAt: untilOf(inForce.issuedAt, session),
          };
        }
        const next = newToken();
        const replaced = { hash: row.hash, replacedAt: now, successor: seal(token, PURPOSE, next) };
        await tx.query(REPLACE.text, REPLACE.values(replaced));
        await tx.query(ISSUE.text, ISSUE.values({ hash: hashOf(next), sessionId, issuedAt: now }));
        return { outcome: 'fresh', userId, credentialId, sessionId, token: next, endsAt: untilOf(now, session) };
      }),
  };
}

export type RefreshTokens = ReturnType<typeof refreshTokens>;

/** Follows a recently replaced token to the current one. Several tabs may have exchanged tokens more than once. */
async function newest(tx: Queryable, token: string, row: TokenRow): Promise<{ token: string; issuedAt: Date }> {
  while (row.successor) {
    token = unseal(token, PURPOSE, row.successor);
    const next = await find(tx, token);
    if (!next) throw new Error('a refresh token has a successor that does not exist');
    row = next;
  }
  return { token, issuedAt: row.issuedAt };
}

const find = (tx: Queryable, token: string): Promise<TokenRow | undefined> =>
  kysely(tx).selectFrom('refreshTokens').selectAll().where('hash', '=', hashOf(token)).executeTakeFirst();

const newToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest();
