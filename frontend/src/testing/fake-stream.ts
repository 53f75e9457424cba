import type { Broadcast, Playback, ViewerSeat } from '@beltway/contracts/media/broadcast';

/** The playback of event 7's stream for a viewer: live, open to everyone. */
export const playbackFixture = (changes: Partial<Playback> = {}): Playback => ({
  ...{ eventId: 7, title: 'Go-Go on the Pier', status: 'live' },
  ...{ startTime: '2030-07-12T23:00:00.000Z', endTime: '2030-07-13T03:00:00.000Z', chatEnabled: true },
  ...{ isTicketed: false, isReceiving: true, isClip: false, viewers: 41, maxViewers: 500, bar: null, recordings: [] },
  ...changes,
});

export const seatFixture = (changes: Partial<ViewerSeat> = {}): ViewerSeat => ({
  ...{ kind: 'hls', url: '/media/live/7/viewer-1/index.m3u8', isReceiving: true, isClip: false },
  ...{ viewers: 42, renewSeconds: 20 },
  ...changes,
});

/** The broadcast of event 7 for its owner: scheduled, ingest by RTMP and WHIP, no key yet. */
export const broadcastFixture = (changes: Partial<Broadcast> = {}): Broadcast => ({
  ...{ eventId: 7, title: 'Go-Go on the Pier', status: 'scheduled', source: null, isReceiving: false },
  ...{ startTime: '2030-07-12T23:00:00.000Z', endTime: '2030-07-13T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: true, isTicketed: false, liveSince: null, endedAt: null },
  ...{ endReason: null, canStart: true, notNow: null, streamKey: null, livestreamUrl: null },
  ingest: { rtmpUrl: 'rtmp://live.example.test/live', whipUrl: '/api/broadcasts/7/whip', reason: null },
  viewers: { now: 0, peak: 0, total: 0, points: [] },
  ...{ recordings: [], isRecordingPending: false },
  ...changes,
});

type Handler = (event: string, data: { fatal: boolean; type: string }) => void;

/** Replaces hls.js. Records calls, and tests trigger errors. */
export class FakeHls {
  static made: FakeHls[] = [];
  static isHere = true;
  static isSupported = () => FakeHls.isHere;
  static Events = { ERROR: 'error', MANIFEST_PARSED: 'parsed' };
  static ErrorTypes = { MEDIA_ERROR: 'media', NETWORK_ERROR: 'network' };
  source = '';
  recoveries = 0;
  isDestroyed = false;
  liveSyncPosition: number | null = null;
  #handlers = new Map<string, Handler>();

  constructor() {
    FakeHls.made.push(this);
  }
  on(event: string, handler: Handler) {
    this.#handlers.set(event, handler);
  }
  loadSource(url: string) {
    this.source = url;
  }
  attachMedia() {}
  recoverMediaError() {
    this.recoveries += 1;
  }
  destroy() {
    this.isDestroyed = true;
  }
  fail(type: string, fatal = true) {
    this.#handlers.get('error')?.('error', { fatal, type });
  }
  static reset() {
    FakeHls.made = [];
    FakeHls.isHere = true;
  }
}
