import type { Pool } from 'pg';
import { follow, type Follower, type Store } from '@beltway/event-store';
import type { UserEvent } from '../user/events.ts';
import type { RevokedFor } from './events.ts';
import type { Sessions } from './stream.ts';
import type { TotpEvent } from '../totp/events.ts';
import type { Users } from '../user/stream.ts';
import { sql, type Expression, type SqlBool } from 'kysely';
import { kysely } from '../db.ts';

const PAGE = 100;

/** One page of an account's sessions that began before a given time and have not ended. */
const unended = (pool: Pool, userId: number, until: Date) =>
  kysely(pool)
    .selectFrom('sessions as s')
    .select('s.id')
    .where('s.userId', '=', userId)
    .where('s.createdAt', '<=', until)
    .where(sql<boolean>`not exists (select from revoked_sessions r where r.session_id = s.id)`)
    .limit(PAGE);

interface Deps {
  pool: Pool;
  sessions: Sessions;
}

interface Ending {
  name: string;
  type: UserEvent['type'];
  reason: RevokedFor;
  /** Condition on a session `s`. Without a condition all sessions end. */
  ended?: Expression<SqlBool>;
}

/**
 * Records the end of each session for services that keep data per session, such as push subscriptions. The sessions are
 * already useless by then: their tokens are invalid because of the new generation, and each refresh checks the account.
 * After a crash the commands are sent again; they are idempotent.
 */
const endSessions = (store: Store, { pool, sessions }: Deps, { name, type, reason, ended }: Ending): Follower =>
  follow(store, {
    name,
    types: [type],
    handle: async (events) => {
      for (const { id, occurredAt, correlationId } of events) {
        const userId = Number(id);
        for (;;) {
          const rows = await unended(pool, userId, occurredAt)
            .$if(ended !== undefined, (query) => query.where(ended!))
            .execute();
          if (rows.length === 0) break;
          const end = (sessionId: string) =>
            sessions.handle(
              sessionId,
              { type: 'RevokeSession', userId, reason },
              { commandId: `revoke\0${sessionId}`, userId, ...(correlationId && { correlationId }) },
            );
          await Promise.all(rows.map((session) => end(session.id)));
        }
      }
    },
  });

/** Ends sessions that began with an earlier password. */
export const endSessionsOfOldPasswords = (store: Store, deps: Deps): Follower =>
  endSessions(store, deps, {
    ...{ name: 'old-passwords', type: 'PasswordChanged', reason: 'password-changed' },
    ended: sql`s.credential_id <> (select u.credential_id from users u where u.id = s.user_id)`,
  });

/** Ends the sessions of suspended accounts. */
export const endSessionsOfSuspended = (store: Store, deps: Deps): Follower =>
  endSessions(store, deps, { name: 'suspended', type: 'UserSuspended', reason: 'suspended' });

/**
 * When an account's codes are turned off, ends the tokens of an admin. The next refresh issues a token with the role
 * `user` (`acting-role.ts`).
 */
export const endTokensOfLostCodes = (store: Store, users: Users): Follower =>
  follow(store, {
    name: 'lost-codes',
    types: ['TotpTurnedOff' satisfies TotpEvent['type']],
    handle: async (events) => {
      for (const { id, data, correlationId } of events) {
        const { secretId } = data as Extract<TotpEvent, { type: 'TotpTurnedOff' }>['data'];
        await users.handle(
          Number(id),
          { type: 'LoseCodes' },
          { commandId: `lost-codes\0${secretId}`, ...(correlationId && { correlationId }) },
        );
      }
    },
  });
