import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { session } from './decider.ts';
import type { SessionCommand, SessionEvent } from './events.ts';

const given = scenarios(session);
const revoke: SessionCommand = { type: 'RevokeSession', userId: 7, reason: 'logout' };
const revoked: SessionEvent = { type: 'SessionRevoked', data: { userId: 7, reason: 'logout' } };

test('signing out ends the session', () => given().when(revoke).yields(revoked));

test('a session ends only once, whatever the later reasons', () =>
  given(revoked)
    .when({ ...revoke, reason: 'reuse' })
    .yields());
