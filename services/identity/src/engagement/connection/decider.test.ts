import { MAX_CONNECTIONS } from '@beltway/contracts/identity/connections';
import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { engagement } from '../decider.ts';
import type { Counted, EngagementCommand, EngagementEvent } from '../events.ts';

const given = scenarios(engagement);
const say = (wants: boolean, otherId = 9): EngagementCommand => ({ type: 'SayConnection', otherId, wants });
const said = (wants: boolean, otherId = 9): EngagementEvent => ({ type: 'ConnectionSaid', data: { otherId, wants } });
const counted: Counted = {
  ...{ kind: 'connection', subjectId: 9, eventId: 7, day: '2026-11-21', points: 10 },
  ...{ category: null, place: null, basis: null },
};

test('a connection request is recorded once, and can be withdrawn and repeated', () => {
  given().when(say(true)).yields(said(true));
  given(said(true)).when(say(true)).yields();
  given(said(true)).when(say(false)).yields(said(false));
  given(said(true), said(false)).when(say(true)).yields(said(true));
});

test('the number of connection requests is limited, and withdrawing a request makes room', () => {
  const all = Array.from({ length: MAX_CONNECTIONS }, (_, at) => said(true, at + 100));
  given(...all)
    .when(say(true))
    .rejects('too-many-connections');
  given(...all, said(false, 100))
    .when(say(true))
    .yields(said(true));
});

test('the request to an erased account is deleted once', () => {
  const forget: EngagementCommand = { type: 'ForgetConnection', otherId: 9 };
  given(said(true))
    .when(forget)
    .yields({ type: 'ConnectionForgotten', data: { otherId: 9 } });
  given().when(forget).yields();
});

test('a connection gives points and a badge, and its end takes both back', () => {
  const { kind: _kind, subjectId, points: _points, ...fact } = counted;
  const kind = 'connection';
  given()
    .when({ type: 'StateFact', kind, subjectId, fact })
    .yields({ type: 'FactCounted', data: counted }, { type: 'BadgeUnlocked', data: { badgeId: 'first-connection' } });
  given({ type: 'FactCounted', data: counted }, { type: 'BadgeUnlocked', data: { badgeId: 'first-connection' } })
    .when({ type: 'StateFact', kind, subjectId, fact: null })
    .yields(
      { type: 'FactTakenBack', data: counted },
      { type: 'BadgeTakenBack', data: { badgeId: 'first-connection' } },
    );
});

test('an erased account records no further choices', () => {
  given(said(true), { type: 'EngagementErased', data: {} }).when(say(false)).yields();
  expect(engagement.initial().wishes.size).toBe(0);
});
