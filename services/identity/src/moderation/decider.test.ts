import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { moderationCase } from './decider.ts';
import type { CaseCommand, CaseEvent } from './events.ts';

const given = scenarios(moderationCase);

const [ann, bob, ada, eve] = [1, 2, 10, 11];
const content = { kind: 'comment', contentId: '17' } as const;
const at = '2026-11-25T07:00:00.000Z';
const reported = (reporterId = bob, kind: 'comment' | 'message' = 'comment'): CaseEvent => ({
  type: 'ContentReported',
  data: { ...content, kind, authorId: ann, reporterId, reason: 'spam' },
});
const reports = (reporterId = bob): CaseCommand => ({
  ...{ type: 'ReportContent', ...content, authorId: ann, reporterId, reason: 'spam' },
});
type Act = Extract<CaseCommand, { type: 'ActOnCase' }>;
const acts = (action: Act['action'], change: Partial<Act> = {}): CaseCommand => ({
  ...{ type: 'ActOnCase', action, reason: 'spam', seen: 0, adminId: ada, now: at, until: null, ...change },
});
const acted = (action: Act['action'], number = 1, adminId = ada): CaseEvent => ({
  type: 'CaseActed',
  data: { ...content, number, action, reason: 'spam', authorId: ann, adminId, at, until: null },
});
const appeals = (now = at, authorId = ann): CaseCommand => ({ type: 'AppealDecision', authorId, now });
const appealed: CaseEvent = { type: 'DecisionAppealed', data: { decision: 1, at } };
const decides = (outcome: 'upheld' | 'reversed', change: object = {}): CaseCommand => ({
  ...{ type: 'DecideAppeal', outcome, adminId: eve, isOnlyAdmin: false, now: at, ...change },
});
const decided = (outcome: 'upheld' | 'reversed'): CaseEvent => ({
  type: 'AppealDecided',
  data: { ...content, decision: 1, number: 2, action: 'hide', outcome, authorId: ann, adminId: eve, at },
});

test('a thing is reported once by each account, and by nobody who wrote it', () => {
  given().when(reports()).yields(reported());
  given(reported()).when(reports()).yields();
  given(reported()).when(reports(3)).yields(reported(3));
  given().when(reports(ann)).rejects('own-content');
});

test('of two admins who act at once the second is told', () => {
  given(reported()).when(acts('hide')).yields(acted('hide'));
  given(reported(), acted('keep')).when(acts('hide')).rejects('acted-meanwhile');
  given(reported(), acted('keep'))
    .when(acts('hide', { seen: 1 }))
    .yields(acted('hide', 2));
  given().when(acts('hide')).rejects('no-such-case');
});

test('an action fits what is there', () => {
  given(reported(), acted('hide'))
    .when(acts('hide', { seen: 1 }))
    .rejects('hidden-already');
  given(reported()).when(acts('restore')).rejects('not-hidden');
  given(reported(), acted('remove'))
    .when(acts('restore', { seen: 1 }))
    .rejects('removed-already');
  given(reported(bob, 'message')).when(acts('hide')).rejects('not-for-this-kind');
  given(reported())
    .when(acts('hide', { adminId: ann }))
    .rejects('own-content');
});

test('a decision is appealed once, by its author, within 30 days', () => {
  given(reported(), acted('hide')).when(appeals()).yields(appealed);
  given(reported(), acted('hide'), appealed).when(appeals()).rejects('appealed-already');
  given(reported(), acted('hide'), appealed, decided('upheld')).when(appeals()).rejects('appealed-already');
  given(reported(), acted('hide')).when(appeals('2026-12-25T07:00:00.001Z')).rejects('too-late');
  given(reported(), acted('hide')).when(appeals(at, bob)).rejects('no-such-case');
  given(reported(), acted('keep')).when(appeals()).rejects('nothing-to-appeal');
  given(reported(), acted('hide'), acted('restore', 2)).when(appeals()).rejects('nothing-to-appeal');
});

test('an appeal is decided by another admin, while there is one', () => {
  given(reported(), acted('hide'), appealed).when(decides('reversed')).yields(decided('reversed'));
  given(reported(), acted('hide'), appealed)
    .when(decides('upheld', { adminId: ada }))
    .rejects('own-decision');
  const alone = { ...decided('upheld').data, adminId: ada };
  given(reported(), acted('hide'), appealed)
    .when(decides('upheld', { adminId: ada, isOnlyAdmin: true }))
    .yields({ type: 'AppealDecided', data: alone } as CaseEvent);
  given(reported(), acted('hide')).when(decides('upheld')).rejects('no-appeal');
  given(reported(), acted('hide'), appealed)
    .when(acts('remove', { seen: 1 }))
    .rejects('appeal-waits');
});

test('what an appeal brought back can be hidden again', () =>
  given(reported(), acted('hide'), appealed, decided('reversed'))
    .when(acts('hide', { seen: 2 }))
    .yields(acted('hide', 3)));
