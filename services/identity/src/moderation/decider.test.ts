import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { MAX_REPORTS, moderationCase } from './decider.ts';
import type { CaseCommand, CaseEvent } from './events.ts';

const given = scenarios(moderationCase);

const [ann, bob, ada, eve] = [1, 2, 10, 11];
const content = { kind: 'comment', contentId: '17' } as const;
const at = '2026-11-25T07:00:00.000Z';
const reported = (reporterId = bob, number = 1, version = 0): CaseEvent => ({
  type: 'ContentReported',
  data: { ...content, authorId: ann, reporterId, reason: 'spam', version, number },
});
const reports = (reporterId = bob, version = 0, since = 0): CaseCommand => ({
  ...{ type: 'ReportContent', ...content, authorId: ann, reporterId, reason: 'spam', version, since },
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

test('each account can report content once, and its author cannot report it', () => {
  given().when(reports()).yields(reported());
  given(reported()).when(reports()).yields();
  given(reported()).when(reports(3)).yields(reported(3, 2));
  given().when(reports(ann)).rejects('own-content');
});

test('if a text changes after moderators kept it, the same account can report it again', () => {
  given(reported()).when(reports(bob, 1)).yields();
  given(reported())
    .when(reports(bob, 1, 1))
    .yields(reported(bob, 2, 1));
  given(reported(), reported(bob, 2, 1))
    .when(reports(bob, 1, 1))
    .yields();
});

test('after a decision, and after the decision of an appeal, the same account can report once more', () => {
  given(reported(), acted('keep')).when(reports()).yields(reported(bob, 2));
  given(reported(), acted('keep'), reported(bob, 2)).when(reports()).yields();
  given(reported(), acted('hide'), appealed, decided('reversed')).when(reports()).yields(reported(bob, 2));
});

test('each decision makes room for reports, and a hidden ad that is reported has new content', () => {
  const many = Array.from({ length: MAX_REPORTS }, (_, n) => reported(100 + n, n + 1));
  given(...many, acted('keep'))
    .when(reports(3))
    .yields(reported(3, MAX_REPORTS + 1));
  const adReported = { ...reported(bob, 1).data, kind: 'ad', authorId: null } as const;
  const ofAd: CaseEvent = { type: 'ContentReported', data: adReported as never };
  const adHidden: CaseEvent = {
    type: 'CaseActed',
    data: { ...acted('hide').data, kind: 'ad', authorId: null } as never,
  };
  given(ofAd, adHidden)
    .when(acts('hide', { seen: 1 }))
    .rejects('hidden-already');
  given(ofAd, adHidden, { type: 'ContentReported', data: { ...adReported, number: 2, version: 1 } as never })
    .when(acts('hide', { seen: 1 }))
    .yields({ type: 'CaseActed', data: { ...acted('hide', 2).data, kind: 'ad', authorId: null } as never });
});

test('removed content cannot be reported, and reports per case are limited', () => {
  given(reported(), acted('remove')).when(reports(3)).rejects('content-gone');
  const many = Array.from({ length: MAX_REPORTS }, (_, n) => reported(100 + n, n + 1));
  given(...many)
    .when(reports(3))
    .yields();
  given(...many.slice(1))
    .when(reports(3))
    .yields(reported(3, MAX_REPORTS));
});

test('when two admins act concurrently, the second is refused', () => {
  given(reported()).when(acts('hide')).yields(acted('hide'));
  given(reported(), acted('keep')).when(acts('hide')).rejects('acted-meanwhile');
  given(reported(), acted('keep'))
    .when(acts('hide', { seen: 1 }))
    .yields(acted('hide', 2));
  given().when(acts('hide')).rejects('no-such-case');
});

test('an action must be possible in the current state of the content', () => {
  given(reported(), acted('hide'))
    .when(acts('hide', { seen: 1 }))
    .rejects('hidden-already');
  given(reported()).when(acts('restore')).rejects('not-hidden');
  for (const action of ['hide', 'restore', 'remove'] as const)
    given(reported(), acted('remove'))
      .when(acts(action, { seen: 1 }))
      .rejects('removed-already');
  given(reported(), acted('remove'))
    .when(acts('warn', { seen: 1 }))
    .yields(acted('warn', 2));
  given(reported(), acted('hide'))
    .when(acts('remove', { seen: 1 }))
    .yields(acted('remove', 2));
  given(reported(), acted('hide'))
    .when(acts('restore', { seen: 1 }))
    .yields(acted('restore', 2));
  given(reported(), acted('hide'), acted('restore', 2))
    .when(acts('hide', { seen: 2 }))
    .yields(acted('hide', 3));
  given(reported(), acted('hide'), acted('warn', 2))
    .when(acts('hide', { seen: 2 }))
    .rejects('hidden-already');
  const message = { ...reported(), data: { ...reported().data, kind: 'message' } } as CaseEvent;
  given(message).when(acts('hide')).rejects('not-for-this-kind');
  given(reported())
    .when(acts('hide', { adminId: ann }))
    .rejects('own-content');
});

test('content without an author can be hidden, but there is no author to warn or suspend', () => {
  const anonymous = { ...reported(), data: { ...reported().data, authorId: null } } as CaseEvent;
  given(anonymous)
    .when(acts('hide'))
    .yields({ ...acted('hide'), data: { ...acted('hide').data, authorId: null } } as CaseEvent);
  for (const action of ['warn', 'suspend', 'reinstate'] as const)
    given(anonymous).when(acts(action)).rejects('no-author');
  given(reported()).when(acts('warn')).yields(acted('warn'));
});

test('a decision can be appealed once, by the author, within 30 days', () => {
  given(reported(), acted('hide')).when(appeals()).yields(appealed);
  given(reported(), acted('hide'), appealed).when(appeals()).rejects('appealed-already');
  given(reported(), acted('hide'), appealed, decided('upheld')).when(appeals()).rejects('appealed-already');
  const last = '2026-12-25T07:00:00.000Z';
  given(reported(), acted('hide'))
    .when(appeals(last))
    .yields({ type: 'DecisionAppealed', data: { decision: 1, at: last } });
  given(reported(), acted('hide')).when(appeals('2026-12-25T07:00:00.001Z')).rejects('too-late');
  given(reported(), acted('hide'), acted('keep', 2)).when(appeals()).yields(appealed);
  given(reported(), acted('hide'), appealed, decided('reversed'), acted('hide', 3))
    .when(appeals())
    .yields({ type: 'DecisionAppealed', data: { decision: 3, at } });
  given(reported(), acted('hide')).when(appeals(at, bob)).rejects('no-such-case');
  given(reported(), acted('keep')).when(appeals()).rejects('nothing-to-appeal');
  given(reported(), acted('hide'), acted('restore', 2)).when(appeals()).rejects('nothing-to-appeal');
});

test('an appeal is decided by a different admin if there is one', () => {
  given(reported(), acted('hide'), appealed).when(decides('reversed')).yields(decided('reversed'));
  given(reported(), acted('hide'), appealed)
    .when(decides('upheld', { adminId: ada }))
    .rejects('own-decision');
  const alone = { ...decided('upheld').data, adminId: ada };
  given(reported(), acted('hide'), appealed)
    .when(decides('upheld', { adminId: ada, isOnlyAdmin: true }))
    .yields({ type: 'AppealDecided', data: alone } as CaseEvent);
  given(reported(), acted('hide'), appealed)
    .when(decides('upheld', { adminId: ann }))
    .rejects('own-content');
  given(reported(), acted('hide')).when(decides('upheld')).rejects('no-appeal');
  given(reported(), acted('hide'), appealed)
    .when(acts('remove', { seen: 1 }))
    .rejects('appeal-waits');
});

test('content restored by an appeal can be hidden again', () =>
  given(reported(), acted('hide'), appealed, decided('reversed'))
    .when(acts('hide', { seen: 2 }))
    .yields(acted('hide', 3)));

test('if a decision to hide content is reversed, and only then, the content is shown again', () => {
  given(reported(), acted('hide'), appealed, decided('upheld'))
    .when(acts('hide', { seen: 2 }))
    .rejects('hidden-already');
  const warned: CaseEvent = {
    type: 'AppealDecided',
    data: { ...decided('reversed').data, decision: 2, number: 3, action: 'warn' } as never,
  };
  given(reported(), acted('hide'), acted('warn', 2), appealed, warned)
    .when(acts('hide', { seen: 3 }))
    .rejects('hidden-already');
});
