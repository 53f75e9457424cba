import { APPEALABLE, APPEAL_DAYS, ACTIONS_OF, type CaseAction } from '@beltway/contracts/identity/moderation';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Acted, CaseCommand, CaseEvent, Content } from './events.ts';

export interface CaseState {
  content: Content | undefined;
  authorId: number | null;
  /** Who has reported it, and the version of the text that they reported last. */
  reporters: Map<number, number>;
  reports: number;
  decisions: number;
  standing: 'shown' | 'hidden' | 'removed';
  /** The last decision that can be appealed; later ones that undo it take it away. */
  appealable: Acted | undefined;
  appeal: 'none' | 'open' | 'decided';
}

/** Reports that are written down; what so many say, an admin knows. */
export const MAX_REPORTS = 200;
const DAY_MS = 24 * 3_600_000;

const initial = (): CaseState => ({
  content: undefined,
  authorId: null,
  reporters: new Map(),
  reports: 0,
  decisions: 0,
  standing: 'shown',
  appealable: undefined,
  appeal: 'none',
});

const isAppealable = (action: CaseAction) => (APPEALABLE as readonly CaseAction[]).includes(action);
/** Until when the decision can be appealed, in ms. */
export const appealEnd = (at: string): number => new Date(at).getTime() + APPEAL_DAYS * DAY_MS;

/** What each action needs to find. */
function refuse(action: CaseAction, state: CaseState, adminId: number): void {
  const { standing, content, authorId } = state;
  if (!ACTIONS_OF[content!.kind].includes(action)) throw new Rejected('not-for-this-kind');
  const isOfContent = action === 'hide' || action === 'restore' || action === 'remove';
  if (isOfContent && standing === 'removed') throw new Rejected('removed-already');
  if (action === 'hide' && standing === 'hidden') throw new Rejected('hidden-already');
  if (action === 'restore' && standing === 'shown') throw new Rejected('not-hidden');
  const isOfAuthor = action === 'warn' || action === 'suspend' || action === 'reinstate';
  if (isOfAuthor && authorId === null) throw new Rejected('no-author');
  if (authorId === adminId) throw new Rejected('own-content.other-admin');
}

function decide(command: CaseCommand, state: CaseState): CaseEvent[] {
  if (command.type === 'ReportContent') {
    const { type: _type, since, ...data } = command;
    if (data.authorId === data.reporterId) throw new Rejected('own-content');
    if (state.standing === 'removed') throw new Rejected('content-gone');
    const reported = state.reporters.get(data.reporterId);
    const isRepeated = reported !== undefined && reported >= since;
    if (isRepeated || state.reports >= MAX_REPORTS) return [];
    return [{ type: 'ContentReported', data: { ...data, number: state.reports + 1 } }];
  }
  const { content, authorId } = state;
  if (!content) throw new Rejected('no-such-case');
  switch (command.type) {
    case 'ActOnCase': {
      const { action, reason, seen, adminId, now: at, until } = command;
      if (seen !== state.decisions) throw new Rejected('acted-meanwhile');
      if (state.appeal === 'open') throw new Rejected('appeal-waits');
      refuse(action, state, adminId);
      return [
        { type: 'CaseActed', data: { ...content, number: seen + 1, action, reason, authorId, adminId, at, until } },
      ];
    }
    case 'AppealDecision': {
      const { appealable, appeal } = state;
      if (authorId === null || command.authorId !== authorId) throw new Rejected('no-such-case');
      if (!appealable) throw new Rejected('nothing-to-appeal');
      if (appeal !== 'none') throw new Rejected('appealed-already');
      if (new Date(command.now).getTime() > appealEnd(appealable.at))
        throw new Rejected('too-late', { days: APPEAL_DAYS });
      return [{ type: 'DecisionAppealed', data: { decision: appealable.number, at: command.now } }];
    }
    case 'DecideAppeal': {
      const { appealable, appeal, decisions } = state;
      const { outcome, adminId, isOnlyAdmin, now: at } = command;
      if (!appealable || appeal !== 'open') throw new Rejected('no-appeal');
      if (authorId === adminId) throw new Rejected('own-content.other-admin');
      if (appealable.adminId === adminId && !isOnlyAdmin) throw new Rejected('own-decision');
      const { number: decision, action } = appealable;
      return [
        {
          type: 'AppealDecided',
          data: { ...content, decision, number: decisions + 1, action, outcome, authorId, adminId, at },
        },
      ];
    }
  }
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(state: CaseState, { type, data }: CaseEvent): CaseState {
  switch (type) {
    case 'ContentReported':
      state.content = { kind: data.kind, contentId: data.contentId };
      state.authorId = data.authorId;
      state.reporters.set(data.reporterId, data.version);
      state.reports += 1;
      return state;
    case 'CaseActed':
      state.decisions = data.number;
      state.standing = standingAfter(state.standing, data.action);
      if (isAppealable(data.action)) {
        state.appealable = data;
        state.appeal = 'none';
      } else if (data.action !== 'keep') state.appealable = undefined;
      return state;
    case 'DecisionAppealed':
      state.appeal = 'open';
      return state;
    case 'AppealDecided':
      state.decisions = data.number;
      state.appeal = 'decided';
      if (data.outcome === 'reversed' && data.action === 'hide') state.standing = 'shown';
      return state;
  }
}

/** Whether readers see it after this. */
export function standingAfter(standing: CaseState['standing'], action: CaseAction): CaseState['standing'] {
  if (action === 'hide') return 'hidden';
  if (action === 'remove') return 'removed';
  return action === 'restore' ? 'shown' : standing;
}

export const moderationCase: Decider<CaseState, CaseCommand, CaseEvent> = { initial, decide, evolve };
