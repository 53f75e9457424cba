import type Hls from 'hls.js/light';

/** Seconds before each retry; the last value repeats. */
export const PAUSES = [1, 2, 4, 8, 15, 30] as const;

/** A viewer who is more than this many seconds behind the newest segment counts as behind. */
const BEHIND_SECONDS = 12;
/** The live position in a browser with native HLS: seconds before the end of the seekable range. */
const NATIVE_EDGE_SECONDS = 6;

const PLAYLIST = 'application/vnd.apple.mpegurl';

/** Milliseconds without a picture after which the player restarts. */
export const STALLED_MS = 20_000;

/**
 * `stalled`: the picture does not arrive. `waiting`: pauses before a retry. `unplayable`: this browser cannot play HLS.
 */
export type StreamPhase = 'loading' | 'playing' | 'stalled' | 'waiting' | 'unplayable';

export interface PlayedStream {
  /** Retries now. */
  retry(): void;
  goLive(): void;
  isBehind(): boolean;
  stop(): void;
}

interface PlayOptions {
  url: string;
  /**
   * True for a stream of this site. hls.js plays it where the browser supports hls.js, and reports errors. The browser
   * itself plays all other streams.
   */
  isOwn: boolean;
  onPhase: (phase: StreamPhase) => void;
  /** Called when the picture does not arrive, because the stream may have ended or the seat may be lost. */
  onTrouble: () => void;
}

/** Plays a live HLS stream in a video element until it is stopped, and retries with growing pauses after faults. */
export function playStream(video: HTMLVideoElement, options: PlayOptions): PlayedStream {
  const { url, isOwn, onPhase, onTrouble } = options;
  let hls: Hls | null = null;
  let failures = 0;
  let isStopped = false;
  let isRecovering = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the current attempt; callbacks of earlier attempts are ignored. */
  let attempt = 0;

  function clear(): void {
    clearTimeout(timer);
    hls?.destroy();
    hls = null;
    isRecovering = false;
  }
  function failed(of: number): void {
    if (isStopped || of !== attempt) return;
    attempt += 1;
    clear();
    const pause = PAUSES[Math.min(failures, PAUSES.length - 1)]! * 1_000;
    failures += 1;
    onPhase('waiting');
    onTrouble();
    // Random, so that not all viewers of a stream retry at the same moment.
    timer = setTimeout(() => void begin(), pause * (0.75 + Math.random() / 2));
  }
  /** Ignores a rejection: some browsers block playback without a recent click, and the viewer then presses play. */
  const play = () => void Promise.resolve(video.play()).catch(() => undefined);

  async function begin(): Promise<void> {
    const own = ++attempt;
    const isCurrent = () => !isStopped && own === attempt;
    clear();
    if (isOwn) {
      let Player: typeof Hls;
      try {
        Player = (await import('hls.js/light')).default;
      } catch {
        return failed(own);
      }
      if (!isCurrent()) return;
      if (Player.isSupported()) return playByHls(new Player({ enableWorker: false, backBufferLength: 60 }), own);
    }
    if (!video.canPlayType(PLAYLIST)) return onPhase('unplayable');
    video.src = url;
    play();
  }
  function playByHls(player: Hls, own: number): void {
    const { Events, ErrorTypes } = player.constructor as typeof Hls;
    hls = player;
    player.on(Events.ERROR, (_event, { fatal, type }) => {
      if (!fatal) return;
      // The first media error is recovered in place; the next one restarts the player.
      if (type === ErrorTypes.MEDIA_ERROR && !isRecovering) {
        isRecovering = true;
        return player.recoverMediaError();
      }
      failed(own);
    });
    player.on(Events.MANIFEST_PARSED, play);
    player.loadSource(url);
    player.attachMedia(video);
  }

  const onPlaying = () => {
    clearTimeout(timer);
    failures = 0;
    isRecovering = false;
    onPhase('playing');
  };
  const onWaiting = () => {
    onPhase('stalled');
    clearTimeout(timer);
    const own = attempt;
    timer = setTimeout(() => failed(own), STALLED_MS);
  };
  // hls.js reports its own errors.
  const onError = () => hls === null && video.error !== null && failed(attempt);
  // The server marked the playlist as ended.
  const onEnded = () => failed(attempt);
  video.addEventListener('playing', onPlaying);
  video.addEventListener('waiting', onWaiting);
  video.addEventListener('error', onError);
  video.addEventListener('ended', onEnded);
  onPhase('loading');
  void begin();

  function edge(): number | null {
    if (hls) return hls.liveSyncPosition;
    const { seekable } = video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) - NATIVE_EDGE_SECONDS : null;
  }
  return {
    retry: () => void begin(),
    goLive() {
      const live = edge();
      if (live !== null) video.currentTime = Math.max(live, 0);
      play();
    },
    isBehind() {
      const live = edge();
      return live !== null && live - video.currentTime > BEHIND_SECONDS;
    },
    stop() {
      isStopped = true;
      clear();
      video.removeEventListener('playing', onPlaying);
      video.removeEventListener('waiting', onWaiting);
      video.removeEventListener('error', onError);
      video.removeEventListener('ended', onEnded);
      video.removeAttribute('src');
      video.load();
    },
  };
}
