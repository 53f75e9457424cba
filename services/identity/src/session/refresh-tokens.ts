import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { seal, unseal } from '@beltway/kit/secrets';

const DAY_MS = 24 * 3_600_000;
/** A session that is not used for this long ends. */
export const IDLE_MS = 30 * DAY_MS;
/** Even one in daily use ends after this, and its owner signs in again. */
export const SESSION_MS = 90 * DAY_MS;
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
  | ({ outcome: 'fresh'; userId: number } & Started)
  /** Unknown, expired, or of a session that is over: sign in again. */
  | { outcome: 'refused' }
  /** A token that was exchanged long ago came back: somebody has a copy. The session must be revoked. */
  | { outcome: 'reused'; userId: number; sessionId: string };

interface TokenRow {
  hash: Buffer;
  issued_at: Date;
  replaced_at: Date | null;
  successor: string | null;
}

/**
 * Refresh tokens: 256 random bits, stored as their sha256, one family per session.
 *
 * - Each exchange replaces the token. One is in force per session (a unique index says so), for 30 days; the session lasts 90 at most.
 * - A token that comes back after it was replaced is a stolen copy, or the robbed owner's: nobody can say which, so the family is
 *   revoked at once.
 * - But an answer may be lost on its way, and two tabs may ask in the same second. So for ten seconds after its exchange a token is
 *   answered with the one now in force, and changes nothing. A thief with a copy that fresh gains ten seconds, no more: the next
 *   exchange of either holder makes the other's token an old one.
 * - To give the same successor twice without storing it readably, it is sealed with the token it replaced.
 */
export function refreshTokens({ pool, clock }: { pool: Pool; clock: () => Date }) {
  const untilOf = (issuedAt: Date, endsAt: Date) => new Date(Math.min(issuedAt.getTime() + IDLE_MS, endsAt.getTime()));

  return {
    /** A new session with its first token. */
    async start(userId: number): Promise<Started> {
      const sessionId = randomUUID();
      const token = newToken();
      const now = clock();
      const endsAt = new Date(now.getTime() + SESSION_MS);
      await pool.query(
        `with s as (insert into sessions (id, user_id, created_at, ends_at) values ($1, $2, $3, $4) returning id)
         insert into refresh_tokens (hash, session_id, issued_at) select $5, id, $3 from s`,
        [sessionId, userId, now, endsAt, hashOf(token)],
      );
      return { sessionId, token, endsAt: untilOf(now, endsAt) };
    },

    /** The session this token belongs to or belonged to; for leaving. */
    async sessionOf(token: string): Promise<{ sessionId: string; userId: number } | undefined> {
      const { rows } = await pool.query<{ id: string; user_id: number }>(
        'select s.id, s.user_id from refresh_tokens t join sessions s on s.id = t.session_id where t.hash = $1',
        [hashOf(token)],
      );
      return rows[0] && { sessionId: rows[0].id, userId: rows[0].user_id };
    },

    /** Exchanges a token for the next one. Exchanges of one session wait for each other. */
    exchange: (token: string): Promise<Exchanged> =>
      transaction(pool, async (tx) => {
        const { rows } = await tx.query<{ id: string; user_id: number; ends_at: Date; revoked: boolean }>(
          `select s.id, s.user_id, s.ends_at, exists (select from revoked_sessions r where r.session_id = s.id) as revoked
           from sessions s where s.id = (select session_id from refresh_tokens where hash = $1) for update of s`,
          [hashOf(token)],
        );
        const session = rows[0];
        // Read after the lock, by a statement of its own: what the one before us wrote is seen.
        const row = session && (await find(tx, token));
        if (!session || !row || session.revoked) return { outcome: 'refused' };
        const { id: sessionId, user_id: userId, ends_at: sessionEnds } = session;
        const now = clock();
        if (untilOf(row.issued_at, sessionEnds) <= now) return { outcome: 'refused' };

        if (row.replaced_at) {
          if (now.getTime() - row.replaced_at.getTime() > GRACE_MS) return { outcome: 'reused', userId, sessionId };
          const inForce = await newest(tx, token, row);
          return {
            outcome: 'fresh',
            userId,
            sessionId,
            token: inForce.token,
            endsAt: untilOf(inForce.issuedAt, sessionEnds),
          };
        }
        const next = newToken();
        await tx.query('update refresh_tokens set replaced_at = $2, successor = $3 where hash = $1', [
          row.hash,
          now,
          seal(token, PURPOSE, next),
        ]);
        await tx.query('insert into refresh_tokens (hash, session_id, issued_at) values ($1, $2, $3)', [
          hashOf(next),
          sessionId,
          now,
        ]);
        return { outcome: 'fresh', userId, sessionId, token: next, endsAt: untilOf(now, sessionEnds) };
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
  return { token, issuedAt: row.issued_at };
}

async function find(tx: Queryable, token: string): Promise<TokenRow | undefined> {
  const { rows } = await tx.query<TokenRow>(
    'select hash, issued_at, replaced_at, successor from refresh_tokens where hash = $1',
    [hashOf(token)],
  );
  return rows[0];
}

const newToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
