import { outgoing, type Logged, type MessageSchema, type Outgoing } from '@beltway/event-store';
import {
  EmailChangedV1,
  EmailVerifiedV1,
  PasswordChangedV1,
  RoleChangedV1,
  SessionRevokedV1,
  SuspensionChangedV1,
  UserErasedV1,
  UserRegisteredV1,
  UserSuspendedV1,
} from '@beltway/contracts/identity/accounts';
import { AuthorToldV1, ContentModeratedV1, ContentReportedV1, caseIdOf } from '@beltway/contracts/identity/moderation';
import { ConnectionWantedV1 } from '@beltway/contracts/identity/connections';
import { BadgeUnlockedV1, VisibilityChosenV1 } from '@beltway/contracts/identity/points';
import type { AuditEvent } from './audit/events.ts';
import type { ChallengeEvent } from './engagement/challenge/events.ts';
import type { EngagementEvent } from './engagement/events.ts';
import type { CaseEvent } from './moderation/events.ts';
import type { SessionEvent } from './session/events.ts';
import type { TotpEvent } from './totp/events.ts';
import type { UserEvent } from './user/events.ts';

export const TOPIC = 'identity.events';

type Told = UserEvent | SessionEvent | AuditEvent | CaseEvent | TotpEvent | EngagementEvent | ChallengeEvent;

/**
 * Returns the messages for a log event. Email addresses, names and admins' actions at `/ops` are not published.
 * Messages with the same key keep their order: all messages about one account have the same key, and so do decisions
 * about one reported item.
 */
export function toMessages(of: Logged): Outgoing[] {
  const event = of as Logged & Told;
  const say = <Data extends object>(schema: MessageSchema<Data>, data: NoInfer<Data>) =>
    outgoing(of, schema, data, 'userId' in data ? `user-${String(data.userId)}` : of.stream);
  return [...tell(event, say), ...tellAuthor(event, say)];
}

type Say = <Data extends object>(schema: MessageSchema<Data>, data: NoInfer<Data>) => Outgoing;

/** The message that notifies the author of the content. There is none for a decision to keep the content. */
function tellAuthor(event: Told, say: Say): Outgoing[] {
  if (event.type !== 'CaseActed' && event.type !== 'AppealDecided') return [];
  const { kind, contentId, number: decision, action, authorId: userId } = event.data;
  if (userId === null || action === 'keep') return [];
  const caseId = caseIdOf({ kind, id: contentId });
  const outcome = event.type === 'AppealDecided' ? event.data.outcome : null;
  return [say(AuthorToldV1, { userId, caseId, kind, action, decision, outcome })];
}

function tell({ id, version, ...event }: Logged & Told, say: Say): Outgoing[] {
  const userId = Number(id);
  switch (event.type) {
    case 'UserRegistered':
      return [say(UserRegisteredV1, { userId, role: event.data.role })];
    case 'RoleChanged':
      return [say(RoleChangedV1, { userId, role: event.data.role, generation: event.data.generation })];
    case 'UserErased':
      return [say(UserErasedV1, { userId, generation: event.data.generation })];
    case 'PasswordChanged':
      return [say(PasswordChangedV1, { userId, generation: event.data.generation })];
    case 'EmailChanged':
      return [say(EmailChangedV1, { userId, generation: event.data.generation })];
    case 'EmailVerified':
      return [say(EmailVerifiedV1, { userId })];
    case 'SessionRevoked':
      return [say(SessionRevokedV1, { userId: event.data.userId, sessionId: id })];
    case 'UserSuspended': {
      const { until, generation } = event.data;
      return [
        say(UserSuspendedV1, { userId, until, generation }),
        say(SuspensionChangedV1, { userId, isSuspended: true, version }),
      ];
    }
    case 'UserReinstated':
      return [say(SuspensionChangedV1, { userId, isSuspended: false, version })];
    case 'ContentReported': {
      const { kind, contentId, number: reports } = event.data;
      return [say(ContentReportedV1, { kind, id: contentId, reports })];
    }
    case 'CaseActed': {
      const { kind, contentId, action, number: decision, adminId } = event.data;
      const isOfContent = action === 'hide' || action === 'restore' || action === 'remove';
      // An action against the author also settles the reported content.
      const effect = isOfContent ? action : 'keep';
      return [say(ContentModeratedV1, { kind, id: contentId, action: effect, decision, adminId })];
    }
    case 'AppealDecided': {
      const { kind, contentId, action, number: decision, adminId, outcome } = event.data;
      // Removed content no longer exists, so its service has nothing to do.
      if (outcome === 'upheld' || action !== 'hide') return [];
      return [say(ContentModeratedV1, { kind, id: contentId, action: 'restore', decision, adminId })];
    }
    case 'BadgeUnlocked':
      return [say(BadgeUnlockedV1, { userId, badgeId: event.data.badgeId })];
    case 'VisibilityChosen':
      return [say(VisibilityChosenV1, { userId, isVisible: event.data.isVisible })];
    case 'ConnectionSaid': {
      const { otherId, wants } = event.data;
      return wants ? [say(ConnectionWantedV1, { userId: otherId, fromId: userId })] : [];
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
    case 'DecisionAppealed':
    case 'AdminActed':
    // Not published, because whether an account uses codes is private.
    case 'TotpTurnedOn':
    case 'TotpCodeUsed':
    case 'RecoveryCodeUsed':
    case 'TotpTurnedOff':
      return [];
  }
}
