import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { user } from './decider.ts';
import type { UserCommand, UserEvent } from './events.ts';

const given = scenarios(user);

const ann = { email: 'ann@example.test', name: 'Ann', role: 'user', credentialId: 'c1' } as const;
const annRegisters: UserCommand = { type: 'RegisterUser', ...ann };
const annRegistered: UserEvent = { type: 'UserRegistered', data: ann };
const toBusiness: UserCommand = { type: 'ChangeRole', role: 'business' };
const becameBusiness = (generation: number): UserEvent => ({
  type: 'RoleChanged',
  data: { role: 'business', generation },
});
const becameUser = (generation: number): UserEvent => ({ type: 'RoleChanged', data: { role: 'user', generation } });

test('a newcomer registers', () => given().when(annRegisters).yields(annRegistered));

test('an account registers once', () => given(annRegistered).when(annRegisters).rejects('already-registered'));

test('a change of role ends the tokens issued before it', () =>
  given(annRegistered).when(toBusiness).yields(becameBusiness(1)));

test('assigning the current role changes nothing and signs no one out', () =>
  given(annRegistered, becameBusiness(1)).when(toBusiness).yields());

test('changing roles back and forth never reuses a generation', () =>
  given(annRegistered, becameBusiness(1), becameUser(2)).when(toBusiness).yields(becameBusiness(3)));

test('losing codes at sign-in ends the tokens of an admin, but of no other account', () => {
  const becameAdmin = (generation: number): UserEvent => ({ type: 'RoleChanged', data: { role: 'admin', generation } });
  given(annRegistered, becameAdmin(1)).when({ type: 'LoseCodes' }).yields(becameAdmin(2));
  given(annRegistered, becameBusiness(1)).when({ type: 'LoseCodes' }).yields();
  given().when({ type: 'LoseCodes' }).yields();
});

test('an account that does not exist has no role to change', () => given().when(toBusiness).rejects('no-such-user'));

const annErased: UserEvent = { type: 'UserErased', data: { generation: 2 } };

test('an account is erased once, and its tokens become invalid', () => {
  given(annRegistered, becameBusiness(1)).when({ type: 'EraseUser' }).yields(annErased);
  given(annRegistered, becameBusiness(1), annErased).when({ type: 'EraseUser' }).yields();
});

test('an account that does not exist is not erased', () => given().when({ type: 'EraseUser' }).rejects('no-such-user'));

test('an erased account has no role, and its number is not reused', () => {
  given(annRegistered, annErased).when(toBusiness).rejects('no-such-user');
  given(annRegistered, annErased).when(annRegisters).rejects('already-registered');
});

const verified: UserEvent = { type: 'EmailVerified', data: {} };
const verifies = (email: string = ann.email): UserCommand => ({ type: 'VerifyEmail', email });

test('only the account’s current email address can be verified, and only once', () => {
  given(annRegistered).when(verifies()).yields(verified);
  given(annRegistered, verified).when(verifies()).yields();
  given(annRegistered).when(verifies('other@example.test')).rejects('link-invalid');
  given().when(verifies()).rejects('link-invalid');
  given(annRegistered, annErased).when(verifies()).rejects('link-invalid');
});

const moves = (change: object = {}): UserCommand => ({
  type: 'ChangeEmail',
  email: 'new@example.test',
  before: ann.email,
  credentialId: 'c1',
  ...change,
});
const moved: UserEvent = {
  type: 'EmailChanged',
  data: { email: 'new@example.test', before: ann.email, generation: 1 },
};

test('a new email address counts as verified, and tokens that contain the old address become invalid', () => {
  given(annRegistered).when(moves()).yields(moved, verified);
  given(annRegistered, becameBusiness(3))
    .when(moves())
    .yields({ ...moved, data: { ...moved.data, generation: 4 } } as UserEvent, verified);
});

test('changing to the current email address changes nothing', () =>
  given(annRegistered)
    .when(moves({ email: ann.email }))
    .yields());

test('a link to the former email address verifies nothing', () =>
  given(annRegistered, moved, verified).when(verifies()).rejects('link-invalid'));

const newPassword = (change: object = {}): UserCommand => ({
  ...({ type: 'ChangePassword', credentialId: 'c2', replaces: 'c1', email: ann.email, by: 'owner' } as const),
  ...change,
});
const passwordChanged = (by: 'owner' | 'reset', generation = 1): UserEvent => ({
  type: 'PasswordChanged',
  data: { credentialId: 'c2', generation, by },
});

test('a requested change of email address becomes invalid when email address or password change', () => {
  given(annRegistered, moved, verified)
    .when(moves({ email: 'third@example.test' }))
    .rejects('link-invalid');
  given(annRegistered, passwordChanged('owner')).when(moves()).rejects('link-invalid');
  given(annRegistered, annErased).when(moves()).rejects('link-invalid');
});

test('a password change requires the password that was checked: only one of two concurrent changes succeeds', () => {
  given(annRegistered).when(newPassword()).yields(passwordChanged('owner'));
  given(annRegistered, passwordChanged('owner'))
    .when(newPassword({ credentialId: 'c3' }))
    .rejects('link-invalid');
  given(annRegistered, moved, verified).when(newPassword()).rejects('link-invalid');
  given(annRegistered, annErased).when(newPassword()).rejects('link-invalid');
});

test('a password reset by link verifies the email address', () => {
  given(annRegistered)
    .when(newPassword({ by: 'reset' }))
    .yields(passwordChanged('reset'), verified);
  given(annRegistered, verified)
    .when(newPassword({ by: 'reset' }))
    .yields(passwordChanged('reset'));
});

test('a suspension ends earlier tokens and can be lifted once; an admin cannot be suspended', () => {
  const suspension = { until: null, caseId: 'comment.17', by: 9 };
  const suspends: UserCommand = { type: 'SuspendUser', ...suspension };
  const suspended: UserEvent = { type: 'UserSuspended', data: { ...suspension, generation: 1 } };
  const reinstates: UserCommand = { type: 'ReinstateUser', caseId: 'comment.17', by: 9 };
  const reinstated: UserEvent = { type: 'UserReinstated', data: { caseId: 'comment.17', by: 9 } };
  given(annRegistered).when(suspends).yields(suspended);
  given(annRegistered, suspended).when(reinstates).yields(reinstated);
  given(annRegistered).when(reinstates).yields();
  given(annRegistered, suspended, reinstated).when(reinstates).yields();
  given(annRegistered, annErased).when(suspends).rejects('no-such-user');
  given(annRegistered, { type: 'RoleChanged', data: { role: 'admin', generation: 1 } })
    .when(suspends)
    .rejects('admin-account');
});

test('a suspension ends exactly when its time is over; a permanent suspension never ends', () => {
  const until = '2026-12-04T12:00:00.000Z';
  const suspended = (end: string | null): UserEvent => ({
    type: 'UserSuspended',
    data: { until: end, caseId: 'comment.17', by: 9, generation: 1 },
  });
  const ended: UserEvent = { type: 'UserReinstated', data: { caseId: null, by: null } };
  given(annRegistered, suspended(until)).when({ type: 'EndSuspension', at: until }).yields(ended);
  given(annRegistered, suspended(until)).when({ type: 'EndSuspension', at: '2026-12-04T11:59:59.999Z' }).yields();
  given(annRegistered, suspended(null)).when({ type: 'EndSuspension', at: until }).yields();
  given(annRegistered, suspended(until), ended).when({ type: 'EndSuspension', at: until }).yields();
  // The suspension was extended after the job had read its earlier end.
  given(annRegistered, suspended(until), suspended('2026-12-09T12:00:00.000Z'))
    .when({ type: 'EndSuspension', at: until })
    .yields();
});

test('each further change ends the tokens of the account again', () => {
  const suspended: UserEvent = { type: 'UserSuspended', data: { until: null, caseId: 'a', by: 9, generation: 1 } };
  for (const before of [[moved, verified], [passwordChanged('owner')], [suspended]])
    given(annRegistered, ...before)
      .when(toBusiness)
      .yields(becameBusiness(2));
});
