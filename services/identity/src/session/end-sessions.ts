import type { Pool } from 'pg';
import { follow, type Follower, type Store } from '@beltway/event-store';
import type { UserEvent } from '../user/events.ts';
import type { RevokedFor } from './events.ts';
import type { Sessions } from './stream.ts';
import { sql, type Expression, type SqlBool } from 'kysely';
import { kysely } from '../db.ts';

const PAGE = 100;

/** Sessions of an account that began before a moment and have not ended, a page of them. */
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
  /** Whether a session `s` ended; without it all did. */
  ended?: Expression<SqlBool>;
}

/**
 * Says of each session that it has ended, for who keeps something by session, such as browsers that are told by push. They are good for
 * nothing before that: tokens end with the generation, and an exchange looks at the account. Commands may be repeated, so a crash in
 * between does them again.
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

/** Ends the sessions that were begun with another password. */
export const endSessionsOfOldPasswords = (store: Store, deps: Deps): Follower =>
  endSessions(store, deps, {
    ...{ name: 'old-passwords', type: 'PasswordChanged', reason: 'password-changed' },
    ended: sql`s.credential_id <> (select u.credential_id from users u where u.id = s.user_id)`,
  });

/** Ends the sessions of accounts that were suspended. */
export const endSessionsOfSuspended = (store: Store, deps: Deps): Follower =>
  endSessions(store, deps, { name: 'suspended', type: 'UserSuspended', reason: 'suspended' });
