import type { Playback, ViewerSeat } from '@beltway/contracts/broadcast';

/** What a reader would see of the stream of event 7: live, open to all. */
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

type Handler = (event: string, data: { fatal: boolean; type: string }) => void;

/** In place of hls.js: what was asked of it, and faults at will. */
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
