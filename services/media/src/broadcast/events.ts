import type { BroadcastEndReason, BroadcastSource } from '@beltway/contracts/media/broadcast';
import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/**
 * The broadcast of an event's live stream. Stream `broadcast-<eventId>`. The catalog decides the hours, the number of
 * viewers and the purchase, which are copied to `broadcast_terms`. Viewers are counted in rows, not in the log.
 */
export type BroadcastEvent =
  /**
   * Only a digest of the key is stored and compared with the key that the encoder sends. A new key invalidates the
   * previous key.
   */
  | { type: 'KeyMade'; data: BroadcastFacts & { digest: string; ending: string } }
  /** The URL of a stream that the organizer hosts elsewhere. */
  | { type: 'AddressSet'; data: BroadcastFacts & { livestreamUrl: string | null } }
  /**
   * The broadcast is live. `session` identifies the signal; null if this service receives no signal. `clip`: the demo
   * clip that plays instead of a signal.
   */
  | {
      type: 'BroadcastStarted';
      data: BroadcastFacts & { source: BroadcastSource; session: string | null; clip?: LivestreamCategory };
    }
  | { type: 'SignalLost'; data: BroadcastFacts & { session: string } }
  /** A new signal replaced the lost signal in time, from the same encoder or another. */
  | { type: 'SignalReturned'; data: BroadcastFacts & { source: BroadcastSource; session: string } }
  /** `canceled` is final; all other endings can be undone by `BroadcastReopened`. */
  | { type: 'BroadcastEnded'; data: BroadcastFacts & { reason: BroadcastEndReason } }
  /** Signals are accepted again. */
  | { type: 'BroadcastReopened'; data: BroadcastFacts }
  /** The recording of one signal is in storage as an MP4. */
  | { type: 'RecordingKept'; data: BroadcastFacts & KeptRecording };

export interface BroadcastFacts {
  eventId: number;
}

export interface KeptRecording {
  session: string;
  startedAt: string;
  durationMs: number;
  bytes: number;
}

/** The hours in which a signal is accepted, from the catalog's current terms. */
export interface SignalHours {
  now: Date;
  opensAt: Date;
  closesAt: Date;
}

export type BroadcastCommand = { eventId: number } & (
  | { type: 'MakeKey'; digest: string; ending: string }
  | { type: 'SetAddress'; livestreamUrl: string | null }
  | ({ type: 'Start' } & SignalHours)
  | { type: 'Stop' }
  /** Plays the demo's clip instead of a camera. */
  | ({ type: 'PlayClip'; clip: LivestreamCategory } & SignalHours)
  /** `keyDigest`: digest of the encoder's key; null for the owner's browser, which sends a token. */
  | ({ type: 'BeginSignal'; source: 'rtmp' | 'whip'; session: string; keyDigest: string | null } & SignalHours)
  | { type: 'EndSignal'; session: string }
  /** The lost signal did not return in time. */
  | { type: 'GiveUp'; session: string }
  /** `time`: the hours of the live stream are over; `canceled`: its event was canceled. */
  | { type: 'End'; reason: 'time' | 'canceled' }
  | ({ type: 'KeepRecording' } & KeptRecording)
);
