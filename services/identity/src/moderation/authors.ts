import { follow, Rejected, type Follower, type Logged, type Store, type Streams } from '@beltway/event-store';
import type { UserCommand, UserEvent } from '../user/events.ts';
import type { CaseEvent } from './events.ts';

type Users = Streams<unknown, UserCommand, UserEvent>;

/**
 * The command that applies a moderation decision to the author's account. Undefined: the decision does not affect the
 * account.
 */
function commandOf(caseId: string, event: CaseEvent): { authorId: number; command: UserCommand } | undefined {
  if (event.type !== 'CaseActed' && event.type !== 'AppealDecided') return undefined;
  const { action, authorId, adminId: by } = event.data;
  if (authorId === null) return undefined;
  if (event.type === 'AppealDecided')
    return event.data.outcome === 'reversed' && action === 'suspend'
      ? { authorId, command: { type: 'ReinstateUser', caseId, by } }
      : undefined;
  if (action === 'suspend') return { authorId, command: { type: 'SuspendUser', until: event.data.until, caseId, by } };
  return action === 'reinstate' ? { authorId, command: { type: 'ReinstateUser', caseId, by } } : undefined;
}

/** Suspends or reinstates the author according to the decision. Idempotent. */
export async function applyToAuthor(users: Users, caseId: string, event: CaseEvent): Promise<void> {
  const found = commandOf(caseId, event);
  if (!found || event.type === 'ContentReported' || event.type === 'DecisionAppealed') return;
  const { authorId, command } = found;
  const commandId = `moderate\0${caseId}\0${event.data.number}`;
  await users.handle(authorId, command, { commandId, userId: event.data.adminId }).catch((error: unknown) => {
    // The account was erased or became an admin.
    if (!(error instanceof Rejected)) throw error;
  });
}

/** Follows the log and applies its decisions again, so a crash cannot leave a decision without its effect. */
export const followDecisions = (store: Store, users: Users): Follower =>
  follow(store, {
    name: 'moderated-authors',
    types: ['CaseActed', 'AppealDecided'],
    handle: async (events) => {
      for (const event of events) await applyToAuthor(users, event.id, event as Logged & CaseEvent);
    },
  });
