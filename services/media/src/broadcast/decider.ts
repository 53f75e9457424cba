import type { BroadcastSource } from '@beltway/contracts/media/broadcast';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { BroadcastCommand, BroadcastEvent, SignalHours } from './events.ts';

export interface BroadcastState {
  status: 'waiting' | 'live' | 'ended' | 'canceled';
  keyDigest: string | null;
  livestreamUrl: string | null;
  source: BroadcastSource | null;
  /** The session of the current signal, or of the lost signal. */
  session: string | null;
  isReceiving: boolean;
  recordings: Set<string>;
}

const initial = (): BroadcastState => ({
  status: 'waiting',
  keyDigest: null,
  livestreamUrl: null,
  source: null,
  session: null,
  isReceiving: false,
  recordings: new Set(),
});

/** Why the organizer cannot send a signal now. */
export type NotNow = 'broadcast-canceled' | 'not-yet' | 'over';

/** Why this service cannot receive signals now. */
export type NotTaken = `ingest-unavailable.${'nowhere' | 'not-installed' | 'starting' | 'no-cameras' | 'no-ffmpeg'}`;

export function notNow(status: BroadcastState['status'], { now, opensAt, closesAt }: SignalHours): NotNow | null {
  if (status === 'canceled') return 'broadcast-canceled';
  if (now < opensAt) return 'not-yet';
  if (now >= closesAt) return 'over';
  return null;
}

function refuseOutside(status: BroadcastState['status'], hours: SignalHours): void {
  const why = notNow(status, hours);
  if (why) throw new Rejected(why);
}

function decide(command: BroadcastCommand, state: BroadcastState): BroadcastEvent[] {
  const { eventId } = command;
  const { status, source, session, isReceiving } = state;
  const lost: BroadcastEvent[] =
    isReceiving && session !== null ? [{ type: 'SignalLost', data: { eventId, session } }] : [];
  switch (command.type) {
    case 'MakeKey': {
      const { digest, ending } = command;
      if (status === 'canceled') throw new Rejected('broadcast-canceled');
      // A new key ends a signal that uses the old key. A camera in the owner's browser needs no key, so it continues.
      return [{ type: 'KeyMade', data: { eventId, digest, ending } }, ...(source === 'rtmp' ? lost : [])];
    }
    case 'SetAddress': {
      const { livestreamUrl } = command;
      if (livestreamUrl === state.livestreamUrl) return [];
      const set: BroadcastEvent = { type: 'AddressSet', data: { eventId, livestreamUrl } };
      // Without the URL of a stream elsewhere, there is nothing to show.
      const isOver = livestreamUrl === null && status === 'live' && source === 'outside';
      return isOver ? [set, { type: 'BroadcastEnded', data: { eventId, reason: 'stopped' } }] : [set];
    }
    case 'Start':
      if (status === 'live') return [];
      refuseOutside(status, command);
      if (state.livestreamUrl !== null)
        return [{ type: 'BroadcastStarted', data: { eventId, source: 'outside', session: null } }];
      if (status === 'ended') return [{ type: 'BroadcastReopened', data: { eventId } }];
      throw new Rejected('nothing-to-show');
    case 'Stop':
      return status === 'live' ? [{ type: 'BroadcastEnded', data: { eventId, reason: 'stopped' } }] : [];
    case 'PlayClip':
      if (status === 'live' && source === 'clip') return [];
      if (status === 'live') throw new Rejected('on-air');
      refuseOutside(status, command);
      if (status === 'ended') throw new Rejected('stopped');
      return [{ type: 'BroadcastStarted', data: { eventId, source: 'clip', session: null, clip: command.clip } }];
    case 'BeginSignal': {
      if (command.keyDigest !== null && command.keyDigest !== state.keyDigest) throw new Rejected('wrong-key');
      refuseOutside(status, command);
      if (status === 'ended') throw new Rejected('stopped.studio');
      if (isReceiving && session === command.session) return [];
      const data = { eventId, source: command.source, session: command.session };
      // A camera that replaces the demo's clip starts a new broadcast.
      if (status === 'live' && source === 'clip')
        return [
          { type: 'BroadcastEnded', data: { eventId, reason: 'stopped' } },
          { type: 'BroadcastStarted', data },
        ];
      // A new signal with the same key comes from the same encoder after a fault, or from an encoder that replaces it.
      return status === 'live' ? [{ type: 'SignalReturned', data }] : [{ type: 'BroadcastStarted', data }];
    }
    case 'EndSignal':
      return session === command.session ? lost : [];
    case 'GiveUp':
      return status === 'live' && !isReceiving && session === command.session
        ? [{ type: 'BroadcastEnded', data: { eventId, reason: 'signal' } }]
        : [];
    case 'End':
      if (status === 'canceled' || (command.reason === 'time' && status !== 'live')) return [];
      return [{ type: 'BroadcastEnded', data: { eventId, reason: command.reason } }];
    case 'KeepRecording': {
      const { startedAt, durationMs, bytes } = command;
      if (state.recordings.has(command.session)) return [];
      return [{ type: 'RecordingKept', data: { eventId, session: command.session, startedAt, durationMs, bytes } }];
    }
  }
}

// May change the given state: the store owns that state, and drops it if the append fails.
function evolve(state: BroadcastState, { type, data }: BroadcastEvent): BroadcastState {
  switch (type) {
    case 'KeyMade':
      state.keyDigest = data.digest;
      return state;
    case 'AddressSet':
      state.livestreamUrl = data.livestreamUrl;
      return state;
    case 'BroadcastStarted':
    case 'SignalReturned':
      state.status = 'live';
      state.source = data.source;
      state.session = data.session;
      state.isReceiving = true;
      return state;
    case 'SignalLost':
      state.isReceiving = false;
      return state;
    case 'BroadcastEnded':
      state.status = data.reason === 'canceled' ? 'canceled' : 'ended';
      state.session = null;
      state.isReceiving = false;
      return state;
    case 'BroadcastReopened':
      state.status = 'waiting';
      return state;
    case 'RecordingKept':
      state.recordings.add(data.session);
      return state;
  }
}

export const broadcast: Decider<BroadcastState, BroadcastCommand, BroadcastEvent> = { initial, decide, evolve };
