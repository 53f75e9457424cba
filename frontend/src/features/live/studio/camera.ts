import { textsNow } from '../../../lib/i18n/catalog.ts';
import { explain, isPassing } from '../../../lib/http/http.ts';
import { endCamera, sendOffer } from './api.ts';
import { texts } from './texts.en.ts';

export interface CameraState {
  /** `ready`: the camera is on, and only its owner sees it. */
  phase: 'off' | 'asking' | 'ready' | 'connecting' | 'on-air' | 'reconnecting';
  stream: MediaStream | null;
  hasSound: boolean;
  isMuted: boolean;
  /** The fault and what to do about it. */
  fault: string | null;
}

export interface Camera {
  get: () => CameraState;
  subscribe: (listener: () => void) => () => void;
  /** Asks the browser for camera and microphone. */
  turnOn: () => Promise<void>;
  /** Sends the camera's picture and sound to this URL (WHIP) until `stop`, and reconnects after a lost connection. */
  goLive: (whipUrl: string) => Promise<void>;
  /** Ends the broadcast; the camera stays on. The page shows `why`. */
  stop: (why?: string) => void;
  turnOff: () => void;
  mute: (isMuted: boolean) => void;
}

const OFF: CameraState = { phase: 'off', stream: null, hasSound: false, isMuted: false, fault: null };
/** Milliseconds before each attempt to reconnect. */
const PAUSES = [0, 2_000, 4_000, 8_000];
/** Milliseconds for which an interrupted connection may recover before it counts as lost. */
const STUTTER_MS = 4_000;
/** Milliseconds to wait for the browser's ICE candidates. The offer contains the candidates found by then. */
const GATHER_MS = 2_000;
const CONNECT_MS = 15_000;

type Fault = 'refused' | 'none' | 'busy' | 'insecure' | 'codecs' | 'unreachable' | 'gone';
const fault = (name: Fault): string => textsNow(texts)(`${name}Fault`);

/** The sentence for a camera that the browser refuses. */
function cameraFault(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return fault('refused');
    case 'NotFoundError':
    case 'OverconstrainedError':
      return fault('none');
    default:
      return fault('busy');
  }
}

class Unreachable extends Error {}

/** The browser's camera: previewed by its owner and sent to a live stream. */
export function browserCamera(): Camera {
  let state = OFF;
  const listeners = new Set<() => void>();
  /** The connection that is open or being opened; null: off air. */
  let link: { whipUrl: string; end: () => void } | null = null;

  const change = (changed: Partial<CameraState>) => {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  };
  const endTracks = (stream: MediaStream | null) => stream?.getTracks().forEach((track) => track.stop());

  function stop(why: string | null = null) {
    link?.end();
    link = null;
    if (state.phase !== 'off' && state.phase !== 'asking') change({ phase: 'ready', fault: why });
  }
  function turnOff(fault: string | null = null) {
    stop();
    endTracks(state.stream);
    change({ ...OFF, fault });
  }

  async function turnOn() {
    if (state.phase !== 'off') return;
    // `mediaDevices` is missing on a page without https.
    const devices = (navigator as Partial<Navigator>).mediaDevices;
    if (!devices) return change({ fault: fault('insecure') });
    change({ phase: 'asking', fault: null });
    const isWanted = () => state.phase === 'asking';
    const video = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
    try {
      const stream = await devices
        .getUserMedia({ video, audio: true })
        // A camera without a microphone is accepted.
        .catch((error: unknown) => {
          if (error instanceof Error && error.name === 'NotFoundError') return devices.getUserMedia({ video });
          throw error;
        });
      // The owner left while the browser was asking for permission.
      if (!isWanted()) return endTracks(stream);
      for (const track of stream.getVideoTracks())
        track.addEventListener('ended', () => state.stream === stream && turnOff(fault('gone')));
      change({ phase: 'ready', stream, hasSound: stream.getAudioTracks().length > 0 });
    } catch (error) {
      if (isWanted()) change({ phase: 'off', fault: cameraFault(error) });
    }
  }

  /**
   * Connects. After a lost connection, reconnects until the retries are used up or the server refuses permanently.
   * Reports a fault of the first connection immediately.
   */
  async function keepConnected(stream: MediaStream, whipUrl: string, isFirst: boolean): Promise<void> {
    change({ phase: isFirst ? 'connecting' : 'reconnecting', fault: null });
    for (const [at, pause] of PAUSES.entries()) {
      let isEnded = false;
      const ends: (() => void)[] = [];
      const own = {
        whipUrl,
        end: () => {
          isEnded = true;
          ends.splice(0).forEach((end) => end());
        },
      };
      link = own;
      if (!isFirst) await waitFor(pause, ends);
      if (isEnded) return;
      try {
        const connection = await connect(stream, whipUrl, ends, () => isEnded);
        if (isEnded) return;
        change({ phase: 'on-air' });
        watch(connection, ends, () => {
          own.end();
          if (link === own) void keepConnected(stream, whipUrl, false);
        });
        return;
      } catch (error) {
        if (isEnded) return;
        own.end();
        const mayPass = isPassing(error) || error instanceof Unreachable;
        if (isFirst || !mayPass || at === PAUSES.length - 1)
          return stop(error instanceof Unreachable ? fault('unreachable') : explain(error));
      }
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    turnOn,
    async goLive(whipUrl) {
      const { stream, phase } = state;
      if (!stream || phase !== 'ready') return;
      if (videoCodecs().length === 0) return change({ fault: fault('codecs') });
      await keepConnected(stream, whipUrl, true);
    },
    stop,
    turnOff: () => turnOff(),
    mute(isMuted) {
      for (const track of state.stream?.getAudioTracks() ?? []) track.enabled = !isMuted;
      change({ isMuted });
    },
  };
}

/** Resolves after `ms`, or earlier when `ends` is called. */
const waitFor = (ms: number, ends: (() => void)[]): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ends.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The codecs that both this browser and the server support, H.264 first: many machines encode it in hardware. */
function videoCodecs(): RTCRtpCodec[] {
  if (typeof RTCPeerConnection === 'undefined' || typeof RTCRtpSender === 'undefined') return [];
  const known = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const of = (name: RegExp) => known.filter(({ mimeType }) => name.test(mimeType));
  const h264 = of(/^video\/H264$/i).filter(({ sdpFmtpLine = '' }) => sdpFmtpLine.includes('packetization-mode=1'));
  return [...h264, ...of(/^video\/VP8$/i)];
}

/**
 * Connects to the server and adds functions to `ends` that close the connection. Throws a fault, or `Unreachable` if no
 * packets get through.
 */
async function connect(
  stream: MediaStream,
  whipUrl: string,
  ends: (() => void)[],
  isEnded: () => boolean,
): Promise<RTCPeerConnection> {
  const connection = new RTCPeerConnection();
  ends.push(() => connection.close());
  for (const track of stream.getTracks()) {
    const transceiver = connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
    if (track.kind === 'video') transceiver.setCodecPreferences(videoCodecs());
  }
  await connection.setLocalDescription();
  await until(
    connection,
    'icegatheringstatechange',
    () => connection.iceGatheringState === 'complete',
    GATHER_MS,
    ends,
  );
  const sdp = connection.localDescription?.sdp;
  if (!sdp || isEnded()) throw new Unreachable();
  const { answer, location } = await sendOffer(whipUrl, sdp);
  if (location) {
    // If the owner left during the request, ends the camera's session on the server.
    if (isEnded()) endCamera(location);
    else ends.push(() => endCamera(location));
  }
  if (isEnded()) throw new Unreachable();
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  const isSettled = () => ['connected', 'failed', 'closed'].includes(connection.connectionState);
  await until(connection, 'connectionstatechange', isSettled, CONNECT_MS, ends);
  if (connection.connectionState !== 'connected') throw new Unreachable();
  return connection;
}

/** Waits for a condition, for at most `ms` milliseconds. */
async function until(
  connection: RTCPeerConnection,
  event: string,
  isSo: () => boolean,
  ms: number,
  ends: (() => void)[],
): Promise<void> {
  if (isSo()) return;
  let look = () => {};
  await Promise.race([
    waitFor(ms, ends),
    new Promise<void>((resolve) => {
      look = () => isSo() && resolve();
      connection.addEventListener(event, look);
    }),
  ]);
  connection.removeEventListener(event, look);
}

/** Calls back once when the connection is lost. */
function watch(connection: RTCPeerConnection, ends: (() => void)[], onLost: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    const { connectionState } = connection;
    if (connectionState === 'failed' || connectionState === 'closed') onLost();
    else if (connectionState === 'disconnected') timer = setTimeout(onLost, STUTTER_MS);
  };
  connection.addEventListener('connectionstatechange', look);
  ends.push(() => {
    clearTimeout(timer);
    connection.removeEventListener('connectionstatechange', look);
  });
  look();
}
