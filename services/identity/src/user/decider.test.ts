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
