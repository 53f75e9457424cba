import type { Projection } from '@beltway/event-store';
import { revokedSessions } from '../generated/tables.ts';
import type { SessionEvent } from './events.ts';

const REVOKE = revokedSessions.insert(['sessionId', 'userId', 'reason', 'revokedAt']);

/** `revoked_sessions`: sessions that ended early. */
export const projectRevokedSessions: Projection<SessionEvent> = (sql, group) => {
  for (const { type, data, id, occurredAt } of group) {
    switch (type) {
      case 'SessionRevoked':
        sql.query(REVOKE.text, REVOKE.values({ ...data, sessionId: id, revokedAt: occurredAt }));
        break;
    }
  }
};
