import { expect, test } from 'vitest';
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
import { AuthorToldV1, ContentModeratedV1, ContentReportedV1 } from '@beltway/contracts/identity/moderation';
import { ConnectionWantedV1 } from '@beltway/contracts/identity/connections';
import { BadgeUnlockedV1, VisibilityChosenV1 } from '@beltway/contracts/identity/points';
import { golden } from '@beltway/contracts/testing/golden';
import { messageOf, type Logged } from '@beltway/event-store';
import { TOPIC, toMessages } from './publish.ts';

const sessionId = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const logged = (stream: string, type: string, data: object): Logged => ({
  type,
  data,
  stream,
  id: stream.slice(stream.indexOf('-') + 1),
  version: 2,
  userId: 3,
  correlationId: sessionId,
  causationId: sessionId,
  occurredAt: new Date('2026-03-07T20:00:00.000Z'),
});
const told: Array<[string, Logged, { parse(message: unknown): unknown }]> = [
  [
    'identity.user-registered.v1',
    logged('user-3', 'UserRegistered', {
      email: 'ann@example.test',
      name: 'Ann',
      role: 'business',
      credentialId: sessionId,
    }),
    UserRegisteredV1,
  ],
  ['identity.role-changed.v1', logged('user-3', 'RoleChanged', { role: 'admin', generation: 4 }), RoleChangedV1],
  [
    'identity.password-changed.v1',
    logged('user-3', 'PasswordChanged', { credentialId: sessionId, generation: 5, by: 'reset' }),
    PasswordChangedV1,
  ],
  [
    'identity.email-changed.v1',
    logged('user-3', 'EmailChanged', { email: 'ann@example.test', before: 'Ann@example.test', generation: 5 }),
    EmailChangedV1,
  ],
  ['identity.email-verified.v1', logged('user-3', 'EmailVerified', {}), EmailVerifiedV1],
  ['identity.user-erased.v1', logged('user-3', 'UserErased', { generation: 5 }), UserErasedV1],
  [
    'identity.user-suspended.v1',
    logged('user-3', 'UserSuspended', { until: null, caseId: 'comment.17', by: 9, generation: 5 }),
    UserSuspendedV1,
  ],
  [
    'identity.suspension-changed.v1',
    logged('user-3', 'UserSuspended', { until: null, caseId: 'comment.17', by: 9, generation: 5 }),
    SuspensionChangedV1,
  ],
  [
    'identity.content-reported.v1',
    logged('case-comment.17', 'ContentReported', {
      kind: 'comment',
      contentId: '17',
      authorId: 3,
      reporterId: 4,
      reason: 'spam',
      version: 0,
      number: 2,
    }),
    ContentReportedV1,
  ],
  [
    'identity.content-moderated.v1',
    logged('case-comment.17', 'CaseActed', {
      ...{ kind: 'comment', contentId: '17', number: 1, action: 'hide', reason: 'spam', authorId: 3, adminId: 9 },
      ...{ at: '2026-03-07T20:00:00.000Z', until: null },
    }),
    ContentModeratedV1,
  ],
  [
    'identity.author-told.v1',
    logged('case-comment.17', 'CaseActed', {
      ...{ kind: 'comment', contentId: '17', number: 1, action: 'hide', reason: 'spam', authorId: 3, adminId: 9 },
      ...{ at: '2026-03-07T20:00:00.000Z', until: null },
    }),
    AuthorToldV1,
  ],
  [
    'identity.connection-wanted.v1',
    logged('engagement-3', 'ConnectionSaid', { otherId: 9, wants: true }),
    ConnectionWantedV1,
  ],
  ['identity.badge-unlocked.v1', logged('engagement-3', 'BadgeUnlocked', { badgeId: 'first-event' }), BadgeUnlockedV1],
  [
    'identity.visibility-chosen.v1',
    logged('engagement-3', 'VisibilityChosen', { isVisible: true }),
    VisibilityChosenV1,
  ],
  ['identity.session-revoked.v1', logged(`session-${sessionId}`, 'SessionRevoked', { userId: 3 }), SessionRevokedV1],
];

test.each(told)('%s is written as its golden file, and tells no address and no name', (name, of, schema) => {
  const [one, ...others] = toMessages(of).filter(({ type, version }) => name === `${type}.v${version}`);
  if (!one || others.length > 0) throw new Error('one message of a kind per event');
  const message = messageOf(TOPIC, one);
  expect(message).toEqual(golden(name));
  expect(schema.parse(golden(name))).toEqual(message);
  expect(JSON.stringify(message)).not.toMatch(/ann@example.test|Ann/);
});

test('the end of a suspension is published, whether an admin or the clock ended it', () => {
  for (const by of [9, null])
    expect(toMessages(logged('user-3', 'UserReinstated', { caseId: null, by }))).toMatchObject([
      { type: 'identity.suspension-changed', key: 'user-3', data: { userId: 3, isSuspended: false, version: 2 } },
    ]);
});

test('actions of admins are not published', () => {
  const data = { accountId: 3, kind: 'searched', subject: 'search', note: '' };
  expect(toMessages(logged('audit-3.2026-03-07', 'AdminActed', data))).toEqual([]);
});

test('only an appeal that restores content is published to its service', () => {
  const stream = 'case-comment.17';
  const content = { kind: 'comment', contentId: '17', authorId: 3 };
  const effects = (type: string, data: object) =>
    toMessages(logged(stream, type, { ...content, number: 2, adminId: 9, at: '2026-03-07T20:00:00.000Z', ...data }))
      .filter((said) => said.type === 'identity.content-moderated')
      .map(({ key, data: said }) => [key, (said as ContentModeratedV1['data']).action]);
  expect(effects('CaseActed', { action: 'suspend' })).toEqual([[stream, 'keep']]);
  expect(effects('AppealDecided', { decision: 1, action: 'hide', outcome: 'reversed' })).toEqual([[stream, 'restore']]);
  expect(effects('AppealDecided', { decision: 1, action: 'hide', outcome: 'upheld' })).toEqual([]);
  expect(effects('AppealDecided', { decision: 1, action: 'remove', outcome: 'reversed' })).toEqual([]);
});

test('authors are notified of each decision except keep, and of the outcome of an appeal', () => {
  const effects = (type: string, data: object) =>
    toMessages(
      logged('case-post.5', type, {
        ...{ kind: 'post', contentId: '5', authorId: 3, number: 2, adminId: 9, at: '2026-03-07T20:00:00.000Z' },
        ...data,
      }),
    )
      .filter((said) => said.type === 'identity.author-told')
      .map(({ key, data: said }) => {
        const { caseId, action, outcome } = said as AuthorToldV1['data'];
        return [key, caseId, action, outcome];
      });
  expect(effects('CaseActed', { action: 'warn' })).toEqual([['user-3', 'post.5', 'warn', null]]);
  expect(effects('CaseActed', { action: 'keep' })).toEqual([]);
  expect(effects('CaseActed', { action: 'remove', authorId: null })).toEqual([]);
  for (const outcome of ['upheld', 'reversed'])
    expect(effects('AppealDecided', { decision: 1, action: 'remove', outcome })).toEqual([
      ['user-3', 'post.5', 'remove', outcome],
    ]);
  expect(effects('ContentReported', { reporterId: 4, reason: 'spam', version: 0, number: 1 })).toEqual([]);
});
