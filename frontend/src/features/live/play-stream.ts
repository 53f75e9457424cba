import type Hls from 'hls.js/light';

/** Seconds before each further try; then again and again after the last. */
export const PAUSES = [1, 2, 4, 8, 15, 30] as const;

/** So many seconds behind the newest pictures one is no longer live. */
const BEHIND_SECONDS = 12;
/** Where a browser that plays playlists by itself is live: so many seconds before their end. */
const NATIVE_EDGE_SECONDS = 6;

const PLAYLIST = 'application/vnd.apple.mpegurl';

/** Milliseconds without a picture after which all begins anew. */
export const STALLED_MS = 20_000;

/** `stalled`: no picture came in time. `waiting`: tries again by itself. `unplayable`: this browser knows no way. */
export type StreamPhase = 'loading' | 'playing' | 'stalled' | 'waiting' | 'unplayable';

export interface PlayedStream {
  /** Tries again now. */
  retry(): void;
  goLive(): void;
  isBehind(): boolean;
  stop(): void;
}

interface PlayOptions {
  url: string;
  /** Of this site: played by hls.js where the browser lets it, which shows what went wrong. Others by the browser alone. */
  isOwn: boolean;
  onPhase: (phase: StreamPhase) => void;
  /** Pictures do not come: perhaps the stream is over, or the seat is lost. */
  onTrouble: () => void;
}

/** Plays a live HLS stream in a video element, with growing pauses after faults, until it is stopped. */
export function playStream(video: HTMLVideoElement, options: PlayOptions): PlayedStream {
  const { url, isOwn, onPhase, onTrouble } = options;
  let hls: Hls | null = null;
  let failures = 0;
  let isStopped = false;
  let isRecovering = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts tries: what comes late from one before is ignored. */
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
    // Not all viewers of a stream at the same moment.
    timer = setTimeout(() => void begin(), pause * (0.75 + Math.random() / 2));
  }
  /** Without the person's press of late, as some browsers see it, they press play themselves. */
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
      // What cannot be decoded is left out, once; then all begins anew.
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
  // hls.js tells of its own errors.
  const onError = () => hls === null && video.error !== null && failed(attempt);
  // The playlist says that nothing comes after this.
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
