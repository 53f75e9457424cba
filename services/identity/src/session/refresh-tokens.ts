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
/** A session that is not used for `idleMs` ends; even one in daily use ends after `wholeMs`. For admins as NIST SP 800-63B-4 has it. */
const LIFETIME = { idleMs: 30 * DAY_MS, wholeMs: 90 * DAY_MS };
const LIFETIME_OF_ADMINS = { idleMs: HOUR_MS, wholeMs: DAY_MS };
export const lifetimeOf = (role: string) => ((role as Role) === 'admin' ? LIFETIME_OF_ADMINS : LIFETIME);
/** How long a token that was just exchanged still gets the one in force. */
export const GRACE_MS = 10_000;
const PURPOSE = 'refresh successor';

export interface Started {
  sessionId: string;
  token: string;
  /** How long the cookie may be kept. */
  endsAt: Date;
}

export type Exchanged =
  /** `credentialId`: the password that it was begun with. Good only as long as it is the account's, which the caller checks. */
  | ({ outcome: 'fresh'; userId: number; credentialId: string } & Started)
  /** Unknown, expired, or of a session that is over: sign in again. */
  | { outcome: 'refused' }
  /** A token that was exchanged long ago came back: somebody has a copy. The session must be revoked. */
  | { outcome: 'reused'; userId: number; sessionId: string };

type TokenRow = RowOf<typeof tokens>;

const ISSUE = tokens.insert(['hash', 'sessionId', 'issuedAt']);
const REPLACE = tokens.update('hash', ['replacedAt', 'successor']);

/**
 * Refresh tokens: 256 random bits, stored as their sha256, one family per session.
 *
 * - Each exchange replaces the token. One is in force per session (a unique index says so), as long as the role allows (`lifetimeOf`).
 * - A token that comes back after it was replaced is a stolen copy, or the robbed owner's: nobody can say which, so the family is
 *   revoked at once.
 * - But an answer may be lost on its way, and two tabs may ask in the same second. So for ten seconds after its exchange a token is
 *   answered with the one now in force, and changes nothing. A thief with a copy that fresh gains ten seconds, no more: the next
 *   exchange of either holder makes the other's token an old one.
 * - To give the same successor twice without storing it readably, it is sealed with the token it replaced.
 */
export function refreshTokens({ pool, db, clock }: { pool: Pool; db: Db; clock: () => Date }) {
  /** By the role of now: a session that was begun before its account became an admin's ends as an admin's. */
  const untilOf = (issuedAt: Date, { endsAt, createdAt, role }: { endsAt: Date; createdAt: Date; role: string }) => {
    const { idleMs, wholeMs } = lifetimeOf(role);
    return new Date(Math.min(issuedAt.getTime() + idleMs, createdAt.getTime() + wholeMs, endsAt.getTime()));
  };

  return {
    /** A new session with its first token, for who proved this password. */
    async start(
      { id: userId, credentialId, role }: { id: number; credentialId: string; role: string },
      device: string,
    ): Promise<Started> {
      const sessionId = randomUUID();
      const token = newToken();
      const now = clock();
      const endsAt = new Date(now.getTime() + lifetimeOf(role).wholeMs);
      const first = { hash: hashOf(token), issuedAt: now };
      await db.session.create({
        data: { id: sessionId, userId, createdAt: now, endsAt, credentialId, device, tokens: { create: first } },
      });
      return { sessionId, token, endsAt: untilOf(now, { endsAt, createdAt: now, role }) };
    },

    /** The session this token belongs to or belonged to; for leaving. */
    async sessionOf(token: string): Promise<{ sessionId: string; userId: number } | undefined> {
      const found = await db.refreshToken.findUnique({ where: { hash: hashOf(token) }, select: { session: true } });
      return found ? { sessionId: found.session.id, userId: found.session.userId } : undefined;
    },

    /** Exchanges a token for the next one. Exchanges of one session wait for each other. */
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
        // Read after the lock, by a statement of its own: what the one before us wrote is seen.
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

/** From a token that was just replaced to the one in force: several tabs may have gone on by more than one step in these seconds. */
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
