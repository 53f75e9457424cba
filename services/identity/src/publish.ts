import type { Logged, Outgoing } from '@beltway/event-store';
import type {
  EmailChangedV1,
  EmailVerifiedV1,
  PasswordChangedV1,
  RoleChangedV1,
  SessionRevokedV1,
  UserErasedV1,
  UserRegisteredV2,
} from '@beltway/contracts/identity';
import type { AuditEvent } from './audit/events.ts';
import type { SessionEvent } from './session/events.ts';
import type { UserEvent } from './user/events.ts';

export const TOPIC = 'identity.events';

type Said =
  | UserRegisteredV2
  | UserErasedV1
  | RoleChangedV1
  | PasswordChangedV1
  | EmailChangedV1
  | EmailVerifiedV1
  | SessionRevokedV1;

/**
 * Which events the world hears, and as what. Emails and names stay inside, and what admins did. All that is said of one user keeps its order: it
 * has one key.
 */
export function publish(events: Logged[]): Outgoing[] {
  return events.flatMap((of) => {
    const said = tell(of as Logged & (UserEvent | SessionEvent | AuditEvent));
    return said ? [{ of, key: `user-${said.data.userId}`, ...said }] : [];
  });
}

function tell({
  id,
  ...event
}: Logged & (UserEvent | SessionEvent | AuditEvent)): Pick<Said, 'type' | 'version' | 'data'> | null {
  switch (event.type) {
    case 'UserRegistered':
      return {
        type: 'identity.user-registered',
        version: 2,
        data: { userId: Number(id), role: event.data.role },
      };
    case 'RoleChanged':
      return {
        type: 'identity.role-changed',
        version: 1,
        data: { userId: Number(id), role: event.data.role, generation: event.data.generation },
      };
    case 'UserErased':
      return {
        type: 'identity.user-erased',
        version: 1,
        data: { userId: Number(id), generation: event.data.generation },
      };
    case 'PasswordChanged':
      return {
        type: 'identity.password-changed',
        version: 1,
        data: { userId: Number(id), generation: event.data.generation },
      };
    case 'EmailChanged':
      return {
        type: 'identity.email-changed',
        version: 1,
        data: { userId: Number(id), generation: event.data.generation },
      };
    case 'EmailVerified':
      return { type: 'identity.email-verified', version: 1, data: { userId: Number(id) } };
    case 'SessionRevoked':
      return { type: 'identity.session-revoked', version: 1, data: { userId: event.data.userId, sessionId: id } };
    case 'AdminActed':
      return null;
  }
}
