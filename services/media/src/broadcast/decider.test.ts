import { describe, expect, test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { broadcast, notNow } from './decider.ts';
import type { BroadcastEvent } from './events.ts';

const given = scenarios(broadcast);
const eventId = 42;
const hours = {
  now: new Date('2026-12-06T00:00:00Z'),
  opensAt: new Date('2026-12-05T23:30:00Z'),
  closesAt: new Date('2026-12-06T03:00:00Z'),
};
const early = { ...hours, now: new Date('2026-12-05T23:29:59Z') };
const late = { ...hours, now: hours.closesAt };
const url = 'https://cdn.example.org/a.m3u8';

const key = (digest: string): BroadcastEvent => ({ type: 'KeyMade', data: { eventId, digest, ending: 'abcd' } });
const address = (livestreamUrl: string | null): BroadcastEvent => ({
  type: 'AddressSet',
  data: { eventId, livestreamUrl },
});
const started = (session: string | null, source: 'rtmp' | 'whip' | 'outside' = 'rtmp'): BroadcastEvent => ({
  type: 'BroadcastStarted',
  data: { eventId, source, session },
});
const lost = (session: string): BroadcastEvent => ({ type: 'SignalLost', data: { eventId, session } });
const returned = (session: string, source: 'rtmp' | 'whip' = 'rtmp'): BroadcastEvent => ({
  type: 'SignalReturned',
  data: { eventId, source, session },
});
const ended = (reason: 'signal' | 'stopped' | 'time' | 'canceled'): BroadcastEvent => ({
  type: 'BroadcastEnded',
  data: { eventId, reason },
});
const reopened: BroadcastEvent = { type: 'BroadcastReopened', data: { eventId } };

const clip: BroadcastEvent = {
  type: 'BroadcastStarted',
  data: { eventId, source: 'clip', session: null, clip: 'Landmark' },
};
const play = { type: 'PlayClip', eventId, clip: 'Landmark', ...hours } as const;

const begin = (session: string, keyDigest: string | null = 'k1') =>
  ({ type: 'BeginSignal', eventId, source: 'rtmp', session, keyDigest, ...hours }) as const;

describe('a signal', () => {
  test('goes live with the key, and a repeat changes nothing', () => {
    given(key('k1')).when(begin('a')).yields(started('a'));
    given(key('k1'), started('a')).when(begin('a')).yields();
  });

  test('is refused without a key, with a wrong key, and with an old key', () => {
    given().when(begin('a')).rejects('wrong-key');
    given(key('k1')).when(begin('a', 'k0')).rejects('wrong-key');
    given(key('k1'), key('k2')).when(begin('a', 'k1')).rejects('wrong-key');
    given(key('k1'), key('k2')).when(begin('a', 'k2')).yields(started('a'));
  });

  test('from the owner’s camera needs no key', () => {
    given()
      .when({ ...begin('a', null), source: 'whip' })
      .yields(started('a', 'whip'));
    given(key('k1'))
      .when({ ...begin('a', null), source: 'whip' })
      .yields(started('a', 'whip'));
  });

  test('is accepted only in the hours of the live stream, and not for a canceled event', () => {
    given(key('k1'))
      .when({ ...begin('a'), ...early })
      .rejects('not-yet');
    given(key('k1'))
      .when({ ...begin('a'), ...late })
      .rejects('over');
    given(key('k1'), ended('canceled')).when(begin('a')).rejects('broadcast-canceled');
  });

  test('is accepted from the first moment of those hours; a refusal has a reason', () => {
    given(key('k1'))
      .when({ ...begin('a'), now: hours.opensAt })
      .yields(started('a'));
    expect(notNow('waiting', early)).toBe('not-yet');
    expect(notNow('waiting', late)).toBe('over');
    expect(notNow('canceled', hours)).toBe('broadcast-canceled');
  });

  test('that is lost may return; the end of an older signal does not affect it', () => {
    given(key('k1'), started('a')).when({ type: 'EndSignal', eventId, session: 'a' }).yields(lost('a'));
    given(key('k1'), started('a'), lost('a')).when(begin('b')).yields(returned('b'));
    given(key('k1'), started('a'), lost('a')).when(begin('a')).yields(returned('a'));
    // The encoder reconnected before we detected that its old connection was dead.
    given(key('k1'), started('a')).when(begin('b')).yields(returned('b'));
    given(key('k1'), started('a'), returned('b')).when({ type: 'EndSignal', eventId, session: 'a' }).yields();
    given(key('k1'), started('a'), lost('a')).when({ type: 'EndSignal', eventId, session: 'a' }).yields();
  });

  test('that does not return ends the broadcast, unless it returned just now', () => {
    const giveUp = { type: 'GiveUp', eventId, session: 'a' } as const;
    given(key('k1'), started('a'), lost('a')).when(giveUp).yields(ended('signal'));
    given(key('k1'), started('a'), lost('a'), returned('b')).when(giveUp).yields();
    given(key('k1'), started('a'), lost('a'), returned('a')).when(giveUp).yields();
    given(key('k1'), started('a'), lost('a'), returned('b'), lost('b')).when(giveUp).yields();
    given(key('k1'), started('a'), lost('a'), ended('stopped')).when(giveUp).yields();
  });

  test('is disconnected by a new key; a camera, which has no key, stays connected', () => {
    const make = { type: 'MakeKey', eventId, digest: 'k2', ending: 'abcd' } as const;
    given(key('k1'), started('a')).when(make).yields(key('k2'), lost('a'));
    given(key('k1'), started('a', 'whip')).when(make).yields(key('k2'));
    given(ended('canceled')).when(make).rejects('broadcast-canceled');
  });
});

describe('the owner of a broadcast', () => {
  const start = { type: 'Start', eventId, ...hours } as const;
  const stop = { type: 'Stop', eventId } as const;

  test('stops it, and then no signal is accepted until the owner starts it again', () => {
    given(key('k1'), started('a')).when(stop).yields(ended('stopped'));
    given(key('k1'), started('a'), ended('stopped')).when(begin('b')).rejects('stopped');
    given(key('k1'), started('a'), ended('stopped')).when(stop).yields();
    given(key('k1'), started('a'), ended('stopped')).when(start).yields(reopened);
    given(key('k1'), started('a'), ended('stopped'), reopened).when(begin('b')).yields(started('b'));
  });

  test('starts a stream from elsewhere by setting its URL, and ends it by removing the URL', () => {
    given().when(start).rejects('nothing-to-show');
    given().when({ type: 'SetAddress', eventId, livestreamUrl: url }).yields(address(url));
    given(address(url)).when(start).yields(started(null, 'outside'));
    given(address(url), started(null, 'outside')).when(start).yields();
    given(address(url), started(null, 'outside'))
      .when({ type: 'SetAddress', eventId, livestreamUrl: null })
      .yields(address(null), ended('stopped'));
    given(address(url)).when({ type: 'SetAddress', eventId, livestreamUrl: url }).yields();
    const other = 'https://cdn.example.org/b.m3u8';
    given(address(url), started(null, 'outside'))
      .when({ type: 'SetAddress', eventId, livestreamUrl: other })
      .yields(address(other));
    for (const log of [
      [started(null, 'outside'), ended('stopped')],
      [key('k1'), started('a')],
    ])
      given(address(url), ...log)
        .when({ type: 'SetAddress', eventId, livestreamUrl: null })
        .yields(address(null));
    given(address(url))
      .when({ ...start, ...early })
      .rejects('not-yet');
    given(address(url), started(null, 'outside'), ended('stopped')).when(start).yields(started(null, 'outside'));
  });
});

test('a live broadcast ends with its hours; if the event is canceled, it ends permanently', () => {
  const over = { type: 'End', eventId, reason: 'time' } as const;
  const canceled = { type: 'End', eventId, reason: 'canceled' } as const;
  given(key('k1'), started('a')).when(over).yields(ended('time'));
  given(key('k1')).when(over).yields();
  given().when(canceled).yields(ended('canceled'));
  given(key('k1'), started('a')).when(canceled).yields(ended('canceled'));
  given(ended('canceled')).when(canceled).yields();
  given(ended('canceled'))
    .when({ type: 'Start', eventId, ...hours })
    .rejects('broadcast-canceled');
});

test('a recording is stored once, even after the end of the broadcast', () => {
  const kept = { session: 'a', startedAt: '2026-12-06T00:00:00.000Z', durationMs: 1_000, bytes: 10 };
  const keep = { type: 'KeepRecording', eventId, ...kept } as const;
  const event: BroadcastEvent = { type: 'RecordingKept', data: { eventId, ...kept } };
  given(started('a'), ended('time')).when(keep).yields(event);
  given(started('a'), ended('time'), event).when(keep).yields();
});

describe('the demo’s clip', () => {
  test('goes live once, in its hours, and replaces no live or stopped broadcast', () => {
    given().when(play).yields(clip);
    given(clip)
      .when({ ...play, clip: 'Government' })
      .yields();
    given(key('k1'), started('a')).when(play).rejects('on-air');
    given(address(url), started(null, 'outside')).when(play).rejects('on-air');
    given(clip, ended('stopped')).when(play).rejects('stopped');
    given(ended('canceled')).when(play).rejects('broadcast-canceled');
    given()
      .when({ ...play, ...early })
      .rejects('not-yet');
    given()
      .when({ ...play, ...late })
      .rejects('over');
  });

  test('cannot lose its signal; the owner, the end of its hours or a canceled event ends it', () => {
    given(clip).when({ type: 'EndSignal', eventId, session: 'a' }).yields();
    given(clip).when({ type: 'GiveUp', eventId, session: 'a' }).yields();
    given(clip).when({ type: 'MakeKey', eventId, digest: 'k1', ending: 'abcd' }).yields(key('k1'));
    given(clip).when({ type: 'Stop', eventId }).yields(ended('stopped'));
    for (const reason of ['time', 'canceled'] as const)
      given(clip).when({ type: 'End', eventId, reason }).yields(ended(reason));
  });

  test('is replaced by a camera, which starts another broadcast', () => {
    given(key('k1'), clip).when(begin('a')).yields(ended('stopped'), started('a'));
    given(key('k1'), clip).when(begin('a', 'k0')).rejects('wrong-key');
    given(key('k1'), clip, ended('stopped'), started('a')).when(begin('a')).yields();
    given(key('k1'), clip, ended('stopped'), reopened).when(begin('a')).yields(started('a'));
  });
});
