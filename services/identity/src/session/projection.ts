import type { Projection } from '@beltway/event-store';
import type { SessionEvent } from './events.ts';

/** `revoked_sessions`: which sessions are over before their time. */
export const projectRevokedSessions: Projection<SessionEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'SessionRevoked':
        sql.query('insert into revoked_sessions (session_id, user_id, reason, revoked_at) values ($1, $2, $3, $4)', [
          id,
          data.userId,
          data.reason,
          occurredAt,
        ]);
        break;
    }
  }
};
