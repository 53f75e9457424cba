import { expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { roomDecider, type Room, type TooSoon } from './decider.ts';
import type { MessageFacts, RoomCommand, RoomEvent, Writer } from './events.ts';

const given = scenarios(roomDecider);
const NOON = '2030-05-01T12:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(NOON) + seconds * 1_000).toISOString();
const ID = '0d9f2c1e-7c1b-4a54-9c43-0a3b6a1f0001';
const ann: Writer = { kind: 'account', userId: 7, name: 'Ann' };
const guest: Writer = { kind: 'guest', guestId: 'aaaaaaaa-7c1b-4a54-9c43-0a3b6a1f0001', name: 'Gil' };

const post = (more: Partial<Extract<RoomCommand, { type: 'PostMessage' }>> = {}): RoomCommand => ({
  type: 'PostMessage',
  messageId: ID,
  writer: ann,
  text: 'Hello',
  isOrganizer: false,
  isModerator: false,
  now: NOON,
  ...more,
});
const posted = (seq: number, more: Partial<MessageFacts> = {}): RoomEvent => ({
  type: 'MessagePosted',
  data: {
    ...{ seq, messageId: ID, userId: 7, guestId: null, userName: 'Ann', text: 'Hello' },
    ...{ isOrganizer: false, at: NOON, ...more },
  },
});
const said = (seq: number, text: string, now = NOON): RoomEvent => ({
  type: 'SystemMessagePosted',
  data: { seq, text, at: now },
});
const slow = (slowModeSeconds: number): RoomEvent => ({ type: 'RoomChanged', data: { slowModeSeconds, by: 1 } });
const muted = (person: string, until: string | null): RoomEvent => ({
  type: 'PersonMuted',
  data: { person, seq: 1, until, by: 1, at: NOON },
});

test('messages are numbered from one without gaps, including system messages', () => {
  given().when(post()).yields(posted(1));
  given(posted(1), said(2, 'Slow mode is off.')).when(post()).yields(posted(3));
  given(posted(1), { type: 'MessageRemoved', data: { seq: 1, by: 7, at: NOON } })
    .when(post())
    .yields(posted(2));
});

test('a guest writes under a chosen name', () =>
  given()
    .when(post({ writer: guest }))
    .yields(posted(1, { userId: null, guestId: guest.guestId, userName: 'Gil' })));

test('a message that was never written cannot be removed', () =>
  given(posted(1)).when({ type: 'RemoveMessage', seq: 2, by: 7, now: NOON }).rejects('no-such-message'));

test('every message can be removed, even the last', () =>
  given(posted(1))
    .when({ type: 'RemoveMessage', seq: 1, by: 7, now: NOON })
    .yields({ type: 'MessageRemoved', data: { seq: 1, by: 7, at: NOON } }));

test('in slow mode each person writes once per interval, independently of others', () => {
  const one = posted(1);
  given(slow(30), one)
    .when(post({ now: at(29.999) }))
    .rejects('slow-mode');
  given(slow(30), one)
    .when(post({ now: at(30) }))
    .yields(posted(2, { at: at(30) }));
  given(slow(30), one)
    .when(post({ writer: guest }))
    .yields(posted(2, { userId: null, guestId: guest.guestId, userName: 'Gil' }));
  given(slow(30), one, slow(0)).when(post()).yields(posted(2));
});

test('slow mode limits each person, whatever other people write and whatever else changes in the room', () => {
  const byGuest = (seq: number, seconds: number) =>
    posted(seq, { userId: null, guestId: guest.guestId, at: at(seconds) });
  given(slow(30), posted(1), byGuest(2, 1))
    .when(post({ now: at(2) }))
    .rejects('slow-mode');
  given(slow(30), byGuest(1, 0))
    .when(post({ writer: guest, now: at(2) }))
    .rejects('slow-mode');
  given(slow(30), posted(1), { type: 'RoomChanged', data: { name: 'Backstage', by: 1 } })
    .when(post({ now: at(2) }))
    .rejects('slow-mode');
});

test('the message of a slow-mode refusal is singular for one second and plural for more', () => {
  const room = [slow(30), posted(1)].reduce(roomDecider.evolve, roomDecider.initial());
  expect(() => roomDecider.decide(post({ now: at(29) }), room)).toThrow('You can post again in a second.');
  expect(() => roomDecider.decide(post({ now: at(28) }), room)).toThrow('You can post again in 2 seconds.');
});

test('a slow-mode refusal contains the time to wait, which never exceeds the interval', () => {
  const room = [slow(30), posted(1)].reduce(roomDecider.evolve, roomDecider.initial());
  const waitAt = (now: string) => {
    try {
      roomDecider.decide(post({ now }), room);
    } catch (error) {
      return (error as TooSoon).retryAfterSeconds;
    }
    return 0;
  };
  expect([waitAt(NOON), waitAt(at(29.5)), waitAt(at(30))]).toEqual([30, 1, 0]);
  // The clock of another instance may be behind.
  expect(waitAt(at(-100))).toBe(30);
});

test('a writer is remembered only for the slow-mode interval', () => {
  let room: Room = roomDecider.evolve(roomDecider.initial(), slow(10));
  for (let second = 0; second < 1_000; second++)
    room = roomDecider.evolve(room, posted(second + 1, { userId: second, at: at(second) }));
  expect(room.wroteAt.size).toBeLessThanOrEqual(10);
  // A person who writes again is moved to the end of the list.
  const [one, other] = ['account:1', 'account:2'];
  let two: Room = roomDecider.evolve(roomDecider.initial(), slow(10));
  for (const [userId, second] of [
    [1, 0],
    [2, 1],
    [1, 10],
  ] as const)
    two = roomDecider.evolve(two, posted(1, { userId, at: at(second) }));
  expect([...two.wroteAt.keys()]).toEqual([other, one]);
  expect(roomDecider.evolve(room, slow(0)).wroteAt.size).toBe(0);
});

test('without slow mode a room does not remember writers', () =>
  expect(roomDecider.evolve(roomDecider.initial(), posted(1)).wroteAt.size).toBe(0));

test('a muted person cannot write until the mute ends or is lifted', () => {
  given(muted('account:7', null)).when(post()).rejects('muted');
  given(muted('account:7', at(60)))
    .when(post({ now: at(59) }))
    .rejects('muted');
  given(muted('account:7', at(60)))
    .when(post({ now: at(60) }))
    .yields(posted(1, { at: at(60) }));
  given(muted('account:8', null)).when(post()).yields(posted(1));
  given(muted(`guest:${guest.guestId}`, null))
    .when(post({ writer: guest }))
    .rejects('muted');
  given(muted('account:7', at(60)), {
    ...muted('account:8', null),
    data: { ...muted('account:8', null).data, at: at(30) },
  } as RoomEvent)
    .when(post({ now: at(59) }))
    .rejects('muted');
  given(muted('account:7', null), { type: 'PersonUnmuted', data: { person: 'account:7', by: 1 } })
    .when(post())
    .yields(posted(1));
  given().when({ type: 'UnmutePerson', person: 'account:7', by: 1 }).yields();
  given(muted('account:7', null))
    .when({ type: 'UnmutePerson', person: 'account:7', by: 1 })
    .yields({ type: 'PersonUnmuted', data: { person: 'account:7', by: 1 } });
});

test('a room has at most a thousand mutes; mutes that have ended do not count', () => {
  const many = (count: number, until: string | null) =>
    Array.from({ length: count }, (_, n) => muted(`account:${n}`, until));
  const mute = (person: string, now = NOON): RoomCommand => ({
    ...{ type: 'MutePerson', person, seq: 1, until: null, by: 1, now },
  });
  const isMuted = (person: string, now = NOON): RoomEvent => ({
    type: 'PersonMuted',
    data: { person, seq: 1, until: null, by: 1, at: now },
  });
  given(...many(999, null))
    .when(mute('account:999'))
    .yields(isMuted('account:999'));
  for (const until of [null, at(60)])
    given(...many(1_000, until))
      .when(mute('account:1000'))
      .rejects('too-many-mutes');
  given(...many(1_000, null))
    .when(mute('account:7'))
    .yields(isMuted('account:7'));
  given(...many(1_000, at(60)))
    .when(mute('account:1000', at(60)))
    .yields(isMuted('account:1000', at(60)));
});

test('an account’s erasure removes its mutes and writing times from a room', () => {
  const log = [slow(30), muted('account:7', null), posted(1)].reduce(roomDecider.evolve, roomDecider.initial());
  const { mutes, wroteAt } = roomDecider.evolve(log, { type: 'PersonErased', data: { userId: 7, at: NOON } });
  expect([mutes.size, wroteAt.size]).toEqual([0, 0]);
});

test('mutes that have ended are removed with the next mute', () => {
  const room = [muted('guest:a', at(60)), muted('guest:b', null)].reduce(roomDecider.evolve, roomDecider.initial());
  const next = { ...muted('guest:c', null).data, at: at(60) } as Extract<RoomEvent, { type: 'PersonMuted' }>['data'];
  expect([...roomDecider.evolve(room, { type: 'PersonMuted', data: next }).mutes.keys()]).toEqual([
    'guest:b',
    'guest:c',
  ]);
});

test('a closed room accepts messages only from its moderators, who are also exempt from slow mode', () => {
  const closed: RoomEvent = { type: 'RoomChanged', data: { isActive: false, slowModeSeconds: 600, by: 1 } };
  given(closed).when(post()).rejects('room-closed');
  given(closed, posted(1))
    .when(post({ isModerator: true }))
    .yields(posted(2));
});

test('the room announces slow mode and closing; a new name is not announced', () => {
  const by = 1;
  const change = (settings: Extract<RoomCommand, { type: 'ChangeRoom' }>['settings']): RoomCommand => ({
    ...{ type: 'ChangeRoom', settings, by, now: NOON },
  });
  given(posted(1))
    .when(change({ slowModeSeconds: 30, isActive: false }))
    .yields(
      { type: 'RoomChanged', data: { slowModeSeconds: 30, isActive: false, by } },
      said(2, 'Slow mode is on: each of you can write once in 30 seconds.'),
      said(3, 'The chat is closed. Nobody can write for now.'),
    );
  given(slow(30))
    .when(change({ slowModeSeconds: 0 }))
    .yields({ type: 'RoomChanged', data: { slowModeSeconds: 0, by } }, said(1, 'Slow mode is off.'));
  given()
    .when(change({ name: 'Backstage' }))
    .yields({ type: 'RoomChanged', data: { name: 'Backstage', by } });
  given(slow(30))
    .when(change({ slowModeSeconds: 30 }))
    .yields();
  const more = { slowModeSeconds: 30, isActive: true, name: 'Backstage' };
  given(slow(30))
    .when(change(more))
    .yields({ type: 'RoomChanged', data: { ...more, by } });
  given({ type: 'RoomChanged', data: { isActive: false, by } })
    .when(change({ slowModeSeconds: 1, isActive: true }))
    .yields(
      { type: 'RoomChanged', data: { slowModeSeconds: 1, isActive: true, by } },
      said(1, 'Slow mode is on: each of you can write once in a second.'),
      said(2, 'The chat is open again.'),
    );
  given().when(change({})).yields();
});

test('a change of the event’s status is announced once', () => {
  const hear = (status: 'published' | 'postponed' | 'canceled'): RoomCommand => ({
    ...{ type: 'HearEventStatus', status, now: NOON },
  });
  const heard = (status: 'published' | 'postponed' | 'canceled'): RoomEvent => ({
    ...{ type: 'EventStatusHeard', data: { status } },
  });
  given().when(hear('published')).yields();
  given(posted(1)).when(hear('canceled')).yields(heard('canceled'), said(2, 'This event was canceled.'));
  given(heard('canceled')).when(hear('canceled')).yields();
  given(heard('postponed')).when(hear('published')).yields(heard('published'), said(1, 'This event has a date again.'));
});

test('an account’s erasure is decided at each request', () =>
  given({ type: 'PersonErased', data: { userId: 7, at: NOON } })
    .when({ type: 'ErasePerson', userId: 7, now: at(60) })
    .yields({ type: 'PersonErased', data: { userId: 7, at: at(60) } }));
