import type { BroadcastEndReason, BroadcastSource } from '@beltway/contracts/media/broadcast';
import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/**
 * How the live stream of one event is sent. Stream `broadcast-<eventId>`. When it takes place, for how many viewers and what was bought is
 * the catalog's (`broadcast_terms`); who watches is counted beside the log.
 */
export type BroadcastEvent =
  /** The key itself is nowhere: who has it shows it, and its digest is compared. The one before is void from here on. */
  | { type: 'KeyMade'; data: BroadcastFacts & { digest: string; ending: string } }
  /** Where the organizer streams elsewhere. */
  | { type: 'AddressSet'; data: BroadcastFacts & { livestreamUrl: string | null } }
  /** Live. `session` names the signal; null: no signal comes here. `clip`: the demo's that is played in place of one. */
  | {
      type: 'BroadcastStarted';
      data: BroadcastFacts & { source: BroadcastSource; session: string | null; clip?: LivestreamCategory };
    }
  | { type: 'SignalLost'; data: BroadcastFacts & { session: string } }
  /** Before it ended for want of one: the same one again, or another in its place. */
  | { type: 'SignalReturned'; data: BroadcastFacts & { source: BroadcastSource; session: string } }
  /** `canceled` is for good; all else ends by `BroadcastReopened` too. */
  | { type: 'BroadcastEnded'; data: BroadcastFacts & { reason: BroadcastEndReason } }
  /** A signal is taken again. */
  | { type: 'BroadcastReopened'; data: BroadcastFacts }
  /** What came by one signal is in storage as an MP4. */
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

/** When a signal is taken, by the terms of the catalog as they are known now. */
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
  /** The demo's clip, in place of a camera. */
  | ({ type: 'PlayClip'; clip: LivestreamCategory } & SignalHours)
  /** `keyDigest`: of the key that the encoder showed; null: its owner's browser, which showed a token. */
  | ({ type: 'BeginSignal'; source: 'rtmp' | 'whip'; session: string; keyDigest: string | null } & SignalHours)
  | { type: 'EndSignal'; session: string }
  /** The signal that was lost did not come back in time. */
  | { type: 'GiveUp'; session: string }
  /** `time`: the hours of the live stream are over; `canceled`: with its event. */
  | { type: 'End'; reason: 'time' | 'canceled' }
  | ({ type: 'KeepRecording' } & KeptRecording)
);
