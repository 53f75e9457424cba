import { table } from '@beltway/kit/columns';

export const broadcasts = table('broadcasts', {
  eventId: 'int4',
  status: 'text',
  source: 'text?',
  session: 'text?',
  /** The demo's that is played in place of a signal. */
  clip: 'text?',
  /** Since when it comes. */
  signalSince: 'timestamptz?',
  isReceiving: 'bool',
  /** Since when no signal comes; only while it is live. */
  lostAt: 'timestamptz?',
  liveSince: 'timestamptz?',
  endedAt: 'timestamptz?',
  endReason: 'text?',
  keyDigest: 'text?',
  keyEnding: 'text?',
  keyMadeAt: 'timestamptz?',
  livestreamUrl: 'text?',
});

export const broadcastRecordings = table('broadcast_recordings', {
  session: 'text',
  eventId: 'int4',
  startedAt: 'timestamptz',
  durationMs: 'int8',
  bytes: 'int8',
});

/** What the catalog says of the event and of its live stream: copies, each with the version that it comes from. */
export const broadcastTerms = table('broadcast_terms', {
  eventId: 'int4',
  title: 'text',
  ownerId: 'int4?',
  isTicketed: 'bool',
  eventStatus: 'text',
  eventVersion: 'int4',
  /** Null: the event has no live stream. */
  streamStatus: 'text?',
  startTime: 'timestamptz?',
  endTime: 'timestamptz?',
  maxViewers: 'int4?',
  chatEnabled: 'bool?',
  recordingEnabled: 'bool?',
  streamVersion: 'int4',
});
