import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RTCPeerConnection, RTCRtpCodecParameters, type MediaStreamTrack } from 'werift';
import type { CameraAnswer, CameraOrder } from './cameras.ts';
import { startProgram } from './program.ts';

// Runs in its own process, for one browser's camera: receives WebRTC and sends RTMP. The process exits when its parent
// exits, when the connection is lost, or when ffmpeg exits.

/** Timeout for both tracks to arrive, and for the connection. */
const CONNECT_MS = 20_000;
const KEY_FRAME_MS = 1_000;
const clockRates = { video: 90_000, audio: 48_000 };
const feedback = [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }];
const CODECS = {
  video: [
    new RTCRtpCodecParameters({
      ...{ mimeType: 'video/H264', clockRate: clockRates.video, rtcpFeedback: feedback },
      parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    }),
    new RTCRtpCodecParameters({ mimeType: 'video/VP8', clockRate: clockRates.video, rtcpFeedback: feedback }),
  ],
  audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: clockRates.audio, channels: 2 })],
};

let folder: string | undefined;

async function end(code = 0): Promise<never> {
  if (folder) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  process.exit(code);
}

process.once('disconnect', () => void end());
process.once('message', (order: CameraOrder) => {
  run(order).catch((error: unknown) => {
    process.send?.({ fault: error instanceof Error ? error.message : 'unknown' } satisfies CameraAnswer);
    void end(1);
  });
});

/** Finds a free loopback port. The port is released immediately, so that ffmpeg can use it. */
async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

async function run({ offer, rtmpUrl, wantsAudio }: CameraOrder): Promise<void> {
  const connection = new RTCPeerConnection({ codecs: CODECS, iceServers: [], iceUseIpv6: false });
  const tracks = new Map<'video' | 'audio', MediaStreamTrack>();
  let started = false;
  const timer = setTimeout(() => void end(), CONNECT_MS);

  connection.connectionStateChange.subscribe((state) => {
    if (state === 'failed' || state === 'disconnected' || state === 'closed') void end();
  });
  connection.onTrack.subscribe((track) => {
    const kind = track.kind === 'audio' ? 'audio' : 'video';
    if (tracks.has(kind)) return;
    tracks.set(kind, track);
    if (kind === 'video')
      track.onReceiveRtp.once(({ header: { ssrc } }) => {
        const receiver = connection.getTransceivers().find((one) => one.receiver.tracks.includes(track))?.receiver;
        // Requests a key frame, so that a segment can begin each second.
        setInterval(() => void receiver?.sendRtcpPLI(ssrc).catch(() => undefined), KEY_FRAME_MS);
      });
    if (started || !tracks.has('video') || (wantsAudio && !tracks.has('audio'))) return;
    started = true;
    clearTimeout(timer);
    forward(tracks, rtmpUrl).catch(() => void end(1));
  });
  await connection.setRemoteDescription({ type: 'offer', sdp: offer });
  await connection.setLocalDescription(await connection.createAnswer());
  process.send?.({ answer: connection.localDescription!.sdp } satisfies CameraAnswer);
}

/** Sends packets over loopback to ffmpeg, which produces streams that HLS players read. */
async function forward(tracks: ReadonlyMap<'video' | 'audio', MediaStreamTrack>, rtmpUrl: string): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'beltway-camera-'));
  const lines = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 'c=IN IP4 127.0.0.1', 't=0 0'];
  const socket: Socket = createSocket('udp4');
  for (const [kind, track] of tracks) {
    const [port, codec] = [await freeUdpPort(), track.codec!];
    const name = codec.mimeType.split('/')[1]!;
    lines.push(
      `m=${kind} ${port} RTP/AVP ${codec.payloadType}`,
      `a=rtpmap:${codec.payloadType} ${name}/${codec.clockRate}${codec.channels ? `/${codec.channels}` : ''}`,
      ...(codec.parameters ? [`a=fmtp:${codec.payloadType} ${codec.parameters}`] : []),
    );
    track.onReceiveRtp.subscribe((packet) => void socket.send(packet.serialize(), port, '127.0.0.1'));
  }
  const description = join(folder, 'camera.sdp');
  await writeFile(description, `${lines.join('\r\n')}\r\n`);
  const read = ['-protocol_whitelist', 'file,udp,rtp', '-fflags', '+nobuffer', '-analyzeduration', '2000000'];
  const picture = [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
    // At most 720p, 30 frames a second, a key frame every second.
    ...['-vf', "scale='min(1280,iw)':'min(720,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,fps=30"],
    ...['-g', '30', '-keyint_min', '30', '-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'],
  ];
  const sound = tracks.has('audio') ? ['-c:a', 'aac', '-ar', '44100', '-b:a', '96k'] : ['-an'];
  const out = ['-f', 'flv', '-rw_timeout', '5000000', rtmpUrl];
  const all = ['-v', 'error', '-nostdin', ...read, '-i', description, ...picture, ...sound, ...out];
  startProgram('ffmpeg', all, () => undefined).once('exit', () => void end());
}
