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

test('a change of role ends the tokens of before', () =>
  given(annRegistered).when(toBusiness).yields(becameBusiness(1)));

test('the role one has already changes nothing, so nobody is signed out', () =>
  given(annRegistered, becameBusiness(1)).when(toBusiness).yields());

test('going back and forth never brings an old generation back', () =>
  given(annRegistered, becameBusiness(1), becameUser(2)).when(toBusiness).yields(becameBusiness(3)));

test('nobody who never registered has a role to change', () => given().when(toBusiness).rejects('no-such-user'));

const annErased: UserEvent = { type: 'UserErased', data: { generation: 2 } };

test('an account is erased once, and its tokens end', () => {
  given(annRegistered, becameBusiness(1)).when({ type: 'EraseUser' }).yields(annErased);
  given(annRegistered, becameBusiness(1), annErased).when({ type: 'EraseUser' }).yields();
});

test('nobody who never registered is erased', () => given().when({ type: 'EraseUser' }).rejects('no-such-user'));

test('an erased account is none: it has no role, and its number is not given away', () => {
  given(annRegistered, annErased).when(toBusiness).rejects('no-such-user');
  given(annRegistered, annErased).when(annRegisters).rejects('already-registered');
});

const verified: UserEvent = { type: 'EmailVerified', data: {} };
const verifies = (email: string = ann.email): UserCommand => ({ type: 'VerifyEmail', email });

test('an address is verified once, and only the one that the account has', () => {
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

test('another address counts as verified with its link, and ends the tokens that name the old one', () => {
  given(annRegistered).when(moves()).yields(moved, verified);
  given(annRegistered, becameBusiness(3))
    .when(moves())
    .yields({ ...moved, data: { ...moved.data, generation: 4 } } as UserEvent, verified);
});

test('the address that the account has already changes nothing', () =>
  given(annRegistered)
    .when(moves({ email: ann.email }))
    .yields());

test('an address is not verified any more by a link to the one before', () =>
  given(annRegistered, moved, verified).when(verifies()).rejects('link-invalid'));

const newPassword = (change: object = {}): UserCommand => ({
  ...({ type: 'ChangePassword', credentialId: 'c2', replaces: 'c1', email: ann.email, by: 'owner' } as const),
  ...change,
});
const passwordChanged = (by: 'owner' | 'reset', generation = 1): UserEvent => ({
  type: 'PasswordChanged',
  data: { credentialId: 'c2', generation, by },
});

test('a change of address comes to nothing when address or password have changed since it was asked for', () => {
  given(annRegistered, moved, verified)
    .when(moves({ email: 'third@example.test' }))
    .rejects('link-invalid');
  given(annRegistered, passwordChanged('owner')).when(moves()).rejects('link-invalid');
  given(annRegistered, annErased).when(moves()).rejects('link-invalid');
});

test('a password is changed from the one that was checked; of two at once one is', () => {
  given(annRegistered).when(newPassword()).yields(passwordChanged('owner'));
  given(annRegistered, passwordChanged('owner'))
    .when(newPassword({ credentialId: 'c3' }))
    .rejects('link-invalid');
  given(annRegistered, moved, verified).when(newPassword()).rejects('link-invalid');
  given(annRegistered, annErased).when(newPassword()).rejects('link-invalid');
});

test('who got the link to choose a password has the address', () => {
  given(annRegistered)
    .when(newPassword({ by: 'reset' }))
    .yields(passwordChanged('reset'), verified);
  given(annRegistered, verified)
    .when(newPassword({ by: 'reset' }))
    .yields(passwordChanged('reset'));
});

test('a suspension ends the tokens of before, and is lifted once; an admin is not suspended', () => {
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

test('tokens end again with each change, whatever ended them before', () => {
  const suspended: UserEvent = { type: 'UserSuspended', data: { until: null, caseId: 'a', by: 9, generation: 1 } };
  for (const before of [[moved, verified], [passwordChanged('owner')], [suspended]])
    given(annRegistered, ...before)
      .when(toBusiness)
      .yields(becameBusiness(2));
});
