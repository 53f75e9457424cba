import { APPEALABLE, APPEAL_DAYS, ACTIONS_OF, type CaseAction } from '@beltway/contracts/identity/moderation';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Acted, CaseCommand, CaseEvent, Content } from './events.ts';

export interface CaseState {
  content: Content | undefined;
  authorId: number | null;
  /**
   * Account ids of reporters. For each: the text version that the account last reported, and the number of decisions at
   * that time.
   */
  reporters: Map<number, { version: number; decisions: number }>;
  reports: number;
  /** The number of reports since the last decision. */
  openReports: number;
  decisions: number;
  standing: 'shown' | 'hidden' | 'removed';
  /** The last decision that can be appealed. Undefined after a later decision that undoes it. */
  appealable: Acted | undefined;
  appeal: 'none' | 'open' | 'decided';
}

/** Maximum reports recorded for a case until it is decided. Further reports are ignored. */
export const MAX_REPORTS = 200;
const DAY_MS = 24 * 3_600_000;

const initial = (): CaseState => ({
  content: undefined,
  authorId: null,
  reporters: new Map(),
  reports: 0,
  openReports: 0,
  decisions: 0,
  standing: 'shown',
  appealable: undefined,
  appeal: 'none',
});

const isAppealable = (action: CaseAction) => (APPEALABLE as readonly CaseAction[]).includes(action);
/** The end of the appeal period, in milliseconds since 1970. */
export const appealEnd = (at: string): number => new Date(at).getTime() + APPEAL_DAYS * DAY_MS;

/** Throws if the action is not possible in the case's current state. */
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
    // The same account may report again after the text changes and after each decision.
    const isRepeated = reported !== undefined && reported.version >= since && reported.decisions === state.decisions;
    if (isRepeated || state.openReports >= MAX_REPORTS) return [];
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

// May mutate the given state, because the store owns the state and drops it if the append fails.
function evolve(state: CaseState, { type, data }: CaseEvent): CaseState {
  switch (type) {
    case 'ContentReported':
      state.content = { kind: data.kind, contentId: data.contentId };
      state.authorId = data.authorId;
      state.reporters.set(data.reporterId, { version: data.version, decisions: state.decisions });
      state.reports += 1;
      state.openReports += 1;
      // Catalog accepts reports of an ad only while the ad is shown. So a reported ad that was hidden has new content
      // now.
      if (data.kind === 'ad') state.standing = 'shown';
      return state;
    case 'CaseActed':
      state.decisions = data.number;
      state.openReports = 0;
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

/** The content's visibility after an action. */
export function standingAfter(standing: CaseState['standing'], action: CaseAction): CaseState['standing'] {
  if (action === 'hide') return 'hidden';
  if (action === 'remove') return 'removed';
  return action === 'restore' ? 'shown' : standing;
}

export const moderationCase: Decider<CaseState, CaseCommand, CaseEvent> = { initial, decide, evolve };
