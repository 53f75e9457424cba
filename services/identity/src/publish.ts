import type { Logged, Outgoing } from '@beltway/event-store';
import type {
  EmailChangedV1,
  EmailVerifiedV1,
  PasswordChangedV1,
  RoleChangedV1,
  SessionRevokedV1,
  UserErasedV1,
  UserRegisteredV2,
  UserSuspendedV1,
} from '@beltway/contracts/identity';
import { caseIdOf, type AuthorToldV1, type ContentModeratedV1 } from '@beltway/contracts/moderation';
import type { ConnectionWantedV1 } from '@beltway/contracts/connections';
import type { BadgeUnlockedV1, VisibilityChosenV1 } from '@beltway/contracts/points';
import type { AuditEvent } from './audit/events.ts';
import type { ChallengeEvent } from './engagement/challenge-events.ts';
import type { EngagementEvent } from './engagement/events.ts';
import type { CaseEvent } from './moderation/events.ts';
import type { SessionEvent } from './session/events.ts';
import type { TotpEvent } from './totp/events.ts';
import type { UserEvent } from './user/events.ts';

export const TOPIC = 'identity.events';

type Said =
  | UserRegisteredV2
  | UserErasedV1
  | RoleChangedV1
  | PasswordChangedV1
  | EmailChangedV1
  | EmailVerifiedV1
  | SessionRevokedV1
  | UserSuspendedV1
  | ContentModeratedV1
  | AuthorToldV1
  | BadgeUnlockedV1
  | VisibilityChosenV1
  | ConnectionWantedV1;

type Told = UserEvent | SessionEvent | AuditEvent | CaseEvent | TotpEvent | EngagementEvent | ChallengeEvent;

/**
 * Which events the world hears, and as what. Emails and names stay inside, and what admins did at `/ops`. All that is said of one user keeps
 * its order: it has one key. So does what was decided of one thing that was reported.
 */
export function publish(events: Logged[]): Outgoing[] {
  return events.flatMap((of) => {
    const event = of as Logged & Told;
    return [tell(event), tellAuthor(event)].flatMap((said) =>
      said ? [{ of, key: 'userId' in said.data ? `user-${said.data.userId}` : of.stream, ...said }] : [],
    );
  });
}

/** That something stays as it was is no news to its author. */
function tellAuthor(event: Told): Pick<AuthorToldV1, 'type' | 'version' | 'data'> | null {
  if (event.type !== 'CaseActed' && event.type !== 'AppealDecided') return null;
  const { kind, contentId, number: decision, action, authorId: userId } = event.data;
  if (userId === null || action === 'keep') return null;
  const caseId = caseIdOf({ kind, id: contentId });
  const outcome = event.type === 'AppealDecided' ? event.data.outcome : null;
  return { type: 'identity.author-told', version: 1, data: { userId, caseId, kind, action, decision, outcome } };
}

function tell({ id, ...event }: Logged & Told): Pick<Said, 'type' | 'version' | 'data'> | null {
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
    case 'UserSuspended': {
      const { until, generation } = event.data;
      return { type: 'identity.user-suspended', version: 1, data: { userId: Number(id), until, generation } };
    }
    case 'CaseActed': {
      const { kind, contentId, action, number: decision, adminId } = event.data;
      const isOfContent = action === 'hide' || action === 'restore' || action === 'remove';
      // What is done with the author settles what was reported as well.
      const effect = isOfContent ? action : 'keep';
      return contentModerated({ kind, id: contentId, action: effect, decision, adminId });
    }
    case 'AppealDecided': {
      const { kind, contentId, action, number: decision, adminId, outcome } = event.data;
      // What was removed is gone; nothing follows for its service.
      if (outcome === 'upheld' || action !== 'hide') return null;
      return contentModerated({ kind, id: contentId, action: 'restore', decision, adminId });
    }
    case 'BadgeUnlocked':
      return { type: 'identity.badge-unlocked', version: 1, data: { userId: Number(id), badgeId: event.data.badgeId } };
    case 'VisibilityChosen': {
      const { isVisible } = event.data;
      return { type: 'identity.visibility-chosen', version: 1, data: { userId: Number(id), isVisible } };
    }
    case 'ConnectionSaid': {
      const { otherId, wants } = event.data;
      if (!wants) return null;
      return { type: 'identity.connection-wanted', version: 1, data: { userId: otherId, fromId: Number(id) } };
    }
    case 'ConnectionForgotten':
    case 'FactCounted':
    case 'FactTakenBack':
    case 'BadgeTakenBack':
    case 'ReferralStated':
    case 'EngagementErased':
    case 'ChallengeMade':
    case 'ChallengeMet':
    case 'ChallengeUnmet':
    case 'PlaceGiven':
    case 'PlaceTakenBack':
    case 'ContentReported':
    case 'DecisionAppealed':
    case 'UserReinstated':
    case 'AdminActed':
    // Whether an account asks for a code is nobody else's business.
    case 'TotpTurnedOn':
    case 'TotpCodeUsed':
    case 'RecoveryCodeUsed':
    case 'TotpTurnedOff':
      return null;
  }
}

const contentModerated = (data: ContentModeratedV1['data']) =>
  ({ type: 'identity.content-moderated', version: 1, data }) as const;
