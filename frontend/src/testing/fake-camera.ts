import { vi } from 'vitest';

class FakeTrack extends EventTarget {
  enabled = true;
  isStopped = false;
  kind: 'video' | 'audio';
  constructor(kind: 'video' | 'audio') {
    super();
    this.kind = kind;
  }
  stop() {
    this.isStopped = true;
  }
}

/** Replaces the browser's WebRTC connection. Records calls, and tests set its state. */
export class FakeConnection extends EventTarget {
  static made: FakeConnection[] = [];
  /** State of a connection after the server's answer; null: unchanged. */
  static outcome: 'connected' | 'failed' | null = 'connected';
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription: { sdp: string } | null = null;
  answer: string | null = null;
  kinds: string[] = [];
  codecs: string[] = [];
  isClosed = false;

  constructor() {
    super();
    FakeConnection.made.push(this);
  }
  addTransceiver(track: FakeTrack, { direction }: { direction: string }) {
    this.kinds.push(`${track.kind} ${direction}`);
    return {
      setCodecPreferences: (codecs: { mimeType: string }[]) => {
        this.codecs = codecs.map(({ mimeType }) => mimeType);
      },
    };
  }
  async setLocalDescription() {
    this.localDescription = { sdp: 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 102\r\n' };
  }
  async setRemoteDescription({ sdp }: { sdp: string }) {
    this.answer = sdp;
    if (FakeConnection.outcome) this.become(FakeConnection.outcome);
  }
  become(state: string) {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
  close() {
    this.isClosed = true;
  }
}

const named = (name: string) => Object.assign(new Error(name), { name });
const H264 = { mimeType: 'video/H264', sdpFmtpLine: 'packetization-mode=1;profile-level-id=42e01f' };
const CODECS = [{ mimeType: 'video/VP9' }, { mimeType: 'video/VP8' }, H264];

/**
 * Fakes a browser with a camera. `refusals` are error names for the next calls, `codecs` the codecs that it can send.
 * Undo with `vi.unstubAllGlobals`.
 */
export function fakeCamera({ refusals = [] as string[], codecs = CODECS, hasWebRtc = true } = {}) {
  FakeConnection.made = [];
  FakeConnection.outcome = 'connected';
  const tracks: FakeTrack[] = [];
  const wanted: MediaStreamConstraints[] = [];
  const getUserMedia = async (constraints: MediaStreamConstraints) => {
    wanted.push(constraints);
    const refusal = refusals.shift();
    if (refusal) throw named(refusal);
    const own = [new FakeTrack('video'), ...(constraints.audio ? [new FakeTrack('audio')] : [])];
    tracks.push(...own);
    const of = (kind: string) => own.filter((track) => track.kind === kind);
    // A video element accepts only a `MediaStream`.
    return Object.create(MediaStream.prototype, {
      getTracks: { value: () => own },
      getVideoTracks: { value: () => of('video') },
      getAudioTracks: { value: () => of('audio') },
    }) as MediaStream;
  };
  vi.stubGlobal('navigator', Object.create(navigator, { mediaDevices: { value: { getUserMedia } } }));
  if (hasWebRtc) {
    vi.stubGlobal('RTCPeerConnection', FakeConnection);
    vi.stubGlobal('RTCRtpSender', { getCapabilities: () => ({ codecs }) });
  }
  return { tracks, wanted, connections: FakeConnection.made };
}
