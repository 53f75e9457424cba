import type { Pool } from 'pg';
import { follow, type Follower, type Store } from '@beltway/event-store';
import type { UserEvent } from '../user/events.ts';
import type { RevokedFor } from './events.ts';
import type { Sessions } from './stream.ts';

const PAGE = 100;

const UNENDED = `not exists (select from revoked_sessions r where r.session_id = s.id) limit ${PAGE}`;
/** Begun with another password than the account has. */
const OLD = `select s.id from sessions s join users u on u.id = s.user_id
  where s.user_id = $1 and s.credential_id <> u.credential_id and s.created_at <= $2 and ${UNENDED}`;
const BEFORE = `select s.id from sessions s where s.user_id = $1 and s.created_at <= $2 and ${UNENDED}`;

interface Deps {
  pool: Pool;
  sessions: Sessions;
}

interface Ending {
  name: string;
  type: UserEvent['type'];
  reason: RevokedFor;
  /** Sessions of an account (`$1`) that ended by what happened at `$2`, a page of them. */
  ended: string;
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
          const { rows } = await pool.query<{ id: string }>(ended, [userId, occurredAt]);
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
    ended: OLD,
  });

/** Ends the sessions of accounts that were suspended. */
export const endSessionsOfSuspended = (store: Store, deps: Deps): Follower =>
  endSessions(store, deps, { ...{ name: 'suspended', type: 'UserSuspended', reason: 'suspended' }, ended: BEFORE });
