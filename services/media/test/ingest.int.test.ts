import { createSocket } from 'node:dgram';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaStreamTrack, RTCPeerConnection } from 'werift';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Broadcast, StreamKey, ViewerSeat } from '@beltway/contracts/media/broadcast';
import { freePort } from '@beltway/kit/free-ports';
import { eventually } from '@beltway/kit/testing';
import { findPrograms } from '../src/ingest/program.ts';
import { hearOf, startMedia, type Media } from './service.ts';

const owner = 3;
const programs = await findPrograms();
const isInstalled = programs.nginx !== null && programs.hasFfmpeg;

let media: Media;
let folder: string;
let port: number;
let free = 100e9;
const cameras = new Set<ChildProcess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beltway-cameras-'));
  port = await freePort();
  media = await startMedia({ ingest: { host: '127.0.0.1', port, freeBytes: () => Promise.resolve(free) } });
});
afterAll(async () => {
  for (const camera of cameras) camera.kill('SIGKILL');
  await media.stop();
  await rm(folder, { recursive: true, force: true });
});

let last = 900;
async function stream(more: object = {}): Promise<number> {
  const eventId = ++last;
  const hours = {
    startTime: new Date(Date.now() - 60_000).toISOString(),
    endTime: new Date(Date.now() + 3_600_000).toISOString(),
  };
  await hearOf(media.bus, 'catalog.event-published', { eventId, hasTickets: false, version: 1 });
  await hearOf(media.bus, 'catalog.livestream-changed', {
    ...{ eventId, status: 'live', version: 2, ...hours, maxViewers: 500, chatEnabled: true, recordingEnabled: false },
    ...more,
  });
  await eventually(async () => (await ask('GET', `/api/broadcasts/${eventId}`)).status === 200);
  return eventId;
}
async function ask(method: string, path: string) {
  const headers = { authorization: `Bearer ${await media.tokenFor({ id: owner })}` };
  const res = await media.get(path, { method, headers });
  return { status: res.status, body: (await res.json()) as unknown };
}
const state = async (eventId: number) => Broadcast.parse((await ask('GET', `/api/broadcasts/${eventId}`)).body);
const newKey = async (eventId: number) =>
  StreamKey.parse((await ask('POST', `/api/broadcasts/${eventId}/key`)).body).streamKey;
const sit = async (eventId: number) => {
  const res = await media.get(`/api/live-streams/${eventId}/viewers/${randomUUID()}`, { method: 'PUT' });
  return ViewerSeat.parse(await res.json());
};

/** A test camera: a test picture and a tone, 15 pictures a second. */
function camera(key: string): ChildProcess {
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=15', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15', '-pix_fmt', 'yuv420p'];
  const to = ['-c:a', 'aac', '-f', 'flv', `rtmp://127.0.0.1:${port}/live/${key}`];
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...video, ...to], { stdio: 'ignore' });
  cameras.add(child);
  child.once('exit', () => cameras.delete(child));
  return child;
}
const gone = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};
const wait = { timeoutMs: 20_000 };

const whereMissing = isInstalled ? undefined : test;
const whereInstalled = isInstalled ? test : undefined;
// If a program is missing, the test fails where every test must run, as in scripts/test.ts.
const whereAllMustRun = process.env['CI'] === undefined ? undefined : test;

whereAllMustRun?.('nginx with its RTMP module and ffmpeg are installed, for CI is set', () =>
  expect({ nginx: programs.nginx !== null, ffmpeg: programs.hasFfmpeg }).toEqual({ nginx: true, ffmpeg: true }),
);

whereMissing?.('where no media server is installed the studio says so', async () => {
  const eventId = await stream();
  await eventually(async () => (await state(eventId)).ingest.reason?.message.includes('isn’t installed'), wait);
  expect((await state(eventId)).ingest.rtmpUrl).toBeNull();
});

whereInstalled?.(
  'from camera to page: live by its signal, played by who has a seat, lost and back, cut off by a new key, kept',
  { timeout: 60_000 },
  async () => {
    const eventId = await stream({ recordingEnabled: true });
    await eventually(async () => (await state(eventId)).ingest.rtmpUrl !== null, wait);
    expect((await state(eventId)).ingest.rtmpUrl).toBe(`rtmp://127.0.0.1:${port}/live`);
    expect(await (await media.get('/api/stream-sources')).json()).toMatchObject({ encoder: true });

    // Unknown keys, and a key of another event, are refused.
    const key = await newKey(eventId);
    const other = await newKey(await stream());
    for (const bad of ['x', `${eventId}-${'a'.repeat(32)}`, `${eventId}-${other.split(/-(.*)/)[1]}`, '../../etc']) {
      await gone(camera(bad));
      expect((await state(eventId)).status).toBe('scheduled');
    }

    const first = camera(key);
    await eventually(async () => (await state(eventId)).status === 'live', wait);
    expect(await state(eventId)).toMatchObject({ source: 'rtmp', isReceiving: true });
    const seat = await sit(eventId);
    expect(seat).toMatchObject({ kind: 'hls', isClip: false });
    const playlist = async () => {
      const res = await media.get(seat.url);
      return { res, text: res.status === 200 ? await res.text() : '' };
    };
    await eventually(async () => (await playlist()).text.includes('.ts'), wait);
    const { res, text } = await playlist();
    expect(res.headers.get('content-type')).toContain('application/vnd.apple.mpegurl');
    expect([res.headers.get('cache-control'), res.headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ]);
    const name = /^.+\.ts$/m.exec(text)![0];
    const segmentUrl = new URL(name, `http://x${seat.url}`).pathname;
    const segment = await media.get(segmentUrl);
    expect([segment.status, segment.headers.get('content-type'), segment.headers.get('cache-control')]).toEqual([
      ...[200, 'video/mp2t', 'private, max-age=60'],
    ]);
    const file = join(folder, 'segment.ts');
    await writeFile(file, Buffer.from(await segment.arrayBuffer()));
    const probed = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      file,
    ]);
    expect(probed.toString()).toMatch(/h264[\s\S]*aac/);

    // Requests are refused without a seat, with the signature of another seat, and for files outside the folder.
    const token = seat.url.split('/')[4]!;
    for (const path of [
      `/media/live/${eventId}/${randomUUID()}.${token.split('.')[1]}/index.m3u8`,
      `/media/live/${eventId + 1}/${token}/index.m3u8`,
      `/media/live/${eventId}/${token}/..%2f..%2fnginx.conf`,
      `/media/live/${eventId}/${token}/0.ts`,
      `/media/live/${eventId}/${token}/${randomUUID()}-0.ts`,
    ])
      expect([path, (await media.get(path)).status]).toEqual([path, 404]);

    // When the connection is lost and the encoder reconnects, the same broadcast continues its segment numbers.
    first.kill('SIGKILL');
    await eventually(async () => !(await state(eventId)).isReceiving, wait);
    expect((await state(eventId)).status).toBe('live');
    const numberOf = (list: string) => Number(/MEDIA-SEQUENCE:(\d+)/.exec(list)?.[1]);
    const before = numberOf((await playlist()).text);
    const second = camera(key);
    await eventually(async () => numberOf((await playlist()).text) > before + 5, wait);
    expect((await state(eventId)).isReceiving).toBe(true);

    // After a key was stolen, a new key disconnects the thief, and the old key no longer works.
    const fresh = await newKey(eventId);
    await gone(second);
    await gone(camera(key));
    expect(await state(eventId)).toMatchObject({ status: 'live', isReceiving: false });
    const third = camera(fresh);
    await eventually(async () => (await state(eventId)).isReceiving, wait);

    // Stopping disconnects the signal and refuses new signals until a restart. The playlist gets its end marker.
    await ask('POST', `/api/broadcasts/${eventId}/stop`);
    await gone(third);
    await gone(camera(fresh));
    expect(await state(eventId)).toMatchObject({ status: 'ended', endReason: 'stopped' });
    await eventually(async () => (await playlist()).text.includes('#EXT-X-ENDLIST'), wait);

    await eventually(async () => !(await state(eventId)).isRecordingPending, wait);
    const { recordings } = await state(eventId);
    // The third signal was disconnected after a moment and may have no recording.
    expect(recordings.length).toBeGreaterThanOrEqual(2);
    const [recording] = recordings;
    expect(recording!.durationSeconds).toBeGreaterThan(1);
    const whole = await media.get(recording!.url);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes).toHaveLength(recording!.bytes);
    const part = await media.get(recording!.url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    const outside = await media.get(recording!.url, { headers: { range: `bytes=${bytes.length}-` } });
    expect(outside.status).toBe(416);
    expect((await media.get(recording!.url.replace(/-[\w-]{22}\.mp4$/, `-${'a'.repeat(22)}.mp4`))).status).toBe(404);
    // The media server's configuration contains no key.
    const conf = await readFile(join(media.dataDir, 'ingest', 'nginx.conf'), 'utf8');
    expect(conf).not.toContain(fresh.slice(4));
  },
);

whereInstalled?.(
  'with little room on the disk nothing is recorded, and with none nothing is taken in',
  { timeout: 60_000 },
  async () => {
    const eventId = await stream({ recordingEnabled: true });
    const key = await newKey(eventId);
    try {
      free = 0.5e9;
      await gone(camera(key));
      expect((await state(eventId)).status).toBe('scheduled');
      free = 5e9;
      const only = camera(key);
      await eventually(async () => (await state(eventId)).isReceiving, wait);
      expect((await state(eventId)).isRecordingPending).toBe(false);
      only.kill('SIGKILL');
    } finally {
      free = 100e9;
    }
  },
);

whereInstalled?.(
  'a media server that is killed is started again, and its encoder goes on in the same broadcast',
  { timeout: 60_000 },
  async () => {
    const eventId = await stream();
    const key = await newKey(eventId);
    const first = camera(key);
    await eventually(async () => (await state(eventId)).isReceiving, wait);
    // A second instance with the same folder and port changes nothing.
    const seat = await sit(eventId);
    const hasSegments = async () => (await (await media.get(seat.url)).text()).includes('.ts');
    await eventually(hasSegments, wait);
    const { pid } = media.ingest!.server()!;
    const second = await media.startIngest();
    expect([second.server(), await hasSegments()]).toEqual([undefined, true]);
    await second.stop();
    // Recording was not bought for this live stream.
    expect(await state(eventId)).toMatchObject({
      ...{ isReceiving: true, ingest: { reason: null }, isRecordingPending: false },
    });
    process.kill(pid, 'SIGKILL');
    await gone(first);
    await eventually(async () => !(await state(eventId)).isReceiving, wait);
    // Encoders retry until a server accepts them.
    let again = camera(key);
    await eventually(async () => {
      if (again.exitCode !== null) again = camera(key);
      return (await state(eventId)).isReceiving;
    }, wait);
    expect(await state(eventId)).toMatchObject({ status: 'live', endedAt: null });
    expect(media.ingest!.server()!.pid).not.toBe(pid);
  },
);

/** A browser's camera: ffmpeg makes the packets, werift sends them. */
async function browserCamera() {
  const connection = new RTCPeerConnection({ iceServers: [], iceUseIpv6: false });
  const track = new MediaStreamTrack({ kind: 'video' });
  connection.addTransceiver(track, { direction: 'sendonly' });
  await connection.setLocalDescription(await connection.createOffer());
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const to = `rtp://127.0.0.1:${socket.address().port}?pkt_size=1200`;
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=15'];
  const video = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '15', '-b:v', '300k'];
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...video, '-f', 'rtp', to], { stdio: 'ignore' });
  cameras.add(child);
  child.once('exit', () => cameras.delete(child));
  socket.on('message', (packet) => {
    if (connection.connectionState === 'connected') track.writeRtp(packet);
  });
  return {
    offer: connection.localDescription!.sdp,
    connect: (answer: string) => connection.setRemoteDescription({ type: 'answer', sdp: answer }),
    async close() {
      child.kill('SIGKILL');
      socket.close();
      await connection.close();
    },
  };
}

whereInstalled?.('a browser’s camera is live by its offer, and ends with it', { timeout: 60_000 }, async () => {
  const eventId = await stream();
  await eventually(async () => (await state(eventId)).ingest.whipUrl !== null, wait);
  const { whipUrl, reason } = (await state(eventId)).ingest;
  expect([whipUrl, reason]).toEqual([`/api/broadcasts/${eventId}/whip`, null]);
  const send = async (body: string, type = 'application/sdp', as = owner) =>
    media.get(whipUrl!, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${await media.tokenFor({ id: as })}` },
      body,
    });
  const browser = await browserCamera();
  expect((await send(browser.offer, 'application/sdp', 8)).status).toBe(404);
  expect((await send(browser.offer, 'text/plain')).status).toBe(415);
  expect((await send('v=0')).status).toBe(400);
  expect((await send('x'.repeat(70_000))).status).toBe(413);
  expect((await send(`v=0\r\nm=video ${'y'.repeat(500)}\r\n`)).status).toBe(422);

  const answered = await send(browser.offer);
  expect([answered.status, answered.headers.get('content-type')]).toEqual([
    201,
    expect.stringContaining('application/sdp'),
  ]);
  await browser.connect(await answered.text());
  await eventually(async () => (await state(eventId)).isReceiving, wait);
  expect(await state(eventId)).toMatchObject({ status: 'live', source: 'whip' });
  const seat = await sit(eventId);
  await eventually(async () => (await (await media.get(seat.url)).text()).includes('.ts'), wait);

  const headers = { authorization: `Bearer ${await media.tokenFor({ id: owner })}` };
  const ended = await media.get(answered.headers.get('location')!, { method: 'DELETE', headers });
  expect(ended.status).toBe(204);
  await eventually(async () => !(await state(eventId)).isReceiving, wait);
  await browser.close();
});
