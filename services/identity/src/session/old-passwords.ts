import type { Pool } from 'pg';
import { follow, type Follower, type Store, type Streams } from '@beltway/event-store';
import type { SessionCommand, SessionEvent } from './events.ts';

const PAGE = 100;

/** Begun with another password than the account has; one of before that was noted, by its time. */
const OLD = `select s.id from sessions s join users u on u.id = s.user_id
  where s.user_id = $1 and (s.credential_id <> u.credential_id or (s.credential_id is null and s.created_at <= $2))
    and not exists (select from revoked_sessions r where r.session_id = s.id)
  limit ${PAGE}`;

/**
 * Says of each session that ended with its password that it has ended, for who keeps something by session, such as browsers that are told by
 * push. They are good for nothing before that: tokens end with the generation, and an exchange compares the password
 * (refresh-tokens.ts). Commands may be repeated, so a crash in between does them again.
 */
export const endSessionsOfOldPasswords = (
  store: Store,
  { pool, sessions }: { pool: Pool; sessions: Streams<unknown, SessionCommand, SessionEvent> },
): Follower =>
  follow(store, {
    name: 'old-passwords',
    types: ['PasswordChanged'],
    handle: async (events) => {
      for (const { id, occurredAt, correlationId } of events) {
        const userId = Number(id);
        for (;;) {
          const { rows } = await pool.query<{ id: string }>(OLD, [userId, occurredAt]);
          if (rows.length === 0) break;
          const end = (sessionId: string) =>
            sessions.handle(
              sessionId,
              { type: 'RevokeSession', userId, reason: 'password-changed' },
              { commandId: `revoke\0${sessionId}`, userId, ...(correlationId && { correlationId }) },
            );
          await Promise.all(rows.map((session) => end(session.id)));
        }
      }
    },
  });
