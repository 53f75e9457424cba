import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Broadcast,
  Playback,
  StreamKey,
  ViewerSeat,
  type BroadcastEndReason,
} from '@beltway/contracts/media/broadcast';
import { eventually } from '@beltway/kit/testing';
import { rebuild } from '../src/rebuild.ts';
import { hearOf, INTERNAL_TOKEN, startMedia, type Media } from './service.ts';

const START = '2026-12-06T00:00:00.000Z';
const END = '2026-12-06T03:00:00.000Z';
const owner = 3;
const url = 'https://cdn.example.org/live/a.m3u8';

let media: Media;
let now = new Date('2026-12-06T00:10:00.000Z');
beforeAll(async () => void (media = await startMedia({ clock: () => now })));
afterAll(() => media.stop());

let last = 700;
/** The catalog publishes an event with a live stream. Resolves when media has stored it. */
async function stream({ hasTickets = false, maxViewers = 500 } = {}): Promise<number> {
  const eventId = ++last;
  await hearOf(media.bus, 'catalog.event-published', { eventId, hasTickets, version: 1 });
  await changed(eventId, 'scheduled', 2, { maxViewers });
  return eventId;
}
async function changed(eventId: number, status: string, version: number, more: object = {}): Promise<void> {
  const data = {
    ...{ eventId, status, version, startTime: START, endTime: END, maxViewers: 500, chatEnabled: true },
    ...{ recordingEnabled: false, ...more },
  };
  await hearOf(media.bus, 'catalog.livestream-changed', data);
  await eventually(async () => {
    const { rows } = await media.pool.query<{ v: number }>(
      'select stream_version as v from broadcast_terms where event_id = $1 and owner_id is not null',
      [eventId],
    );
    return rows[0] !== undefined && rows[0].v >= version;
  });
}

interface From {
  as?: number | undefined;
  /** Default true. */
  isVerified?: boolean;
  address?: string;
  body?: unknown;
}
async function ask(method: string, path: string, { as, isVerified = true, address, body }: From = {}) {
  const headers = {
    ...(as !== undefined && { authorization: `Bearer ${await media.tokenFor({ id: as, isVerified })}` }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const res = await media.get(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await res.text();
  return { status: res.status, body: (text ? JSON.parse(text) : null) as Record<string, unknown> & { code?: string } };
}
const state = async (eventId: number) =>
  Broadcast.parse((await ask('GET', `/api/broadcasts/${eventId}`, { as: owner })).body);
const sit = (eventId: number, viewerId: string = randomUUID(), as?: number, from: From = {}) =>
  ask('PUT', `/api/live-streams/${eventId}/viewers/${viewerId}`, { as, ...from });
const playback = async (eventId: number, as?: number) =>
  Playback.parse((await ask('GET', `/api/live-streams/${eventId}/playback`, { as })).body);
async function goLive(eventId: number): Promise<void> {
  await ask('PUT', `/api/broadcasts/${eventId}/url`, { as: owner, body: { livestreamUrl: url } });
  expect((await ask('POST', `/api/broadcasts/${eventId}/start`, { as: owner })).status).toBe(200);
}

describe('the studio', () => {
  test('is open to the event’s owner and admins; for others, it is 404', async () => {
    const eventId = await stream();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/key', undefined],
      ['PUT', '/url', { livestreamUrl: url }],
      ['POST', '/start', undefined],
      ['POST', '/stop', undefined],
    ] as const) {
      const at = `/api/broadcasts/${eventId}${path}`;
      expect((await ask(method, at, { body })).status).toBe(401);
      expect((await ask(method, at, { as: 8, body })).status).toBe(404);
      expect((await ask(method, `/api/broadcasts/999999${path}`, { as: owner, body })).status).toBe(404);
      expect((await ask(method, `/api/broadcasts/x${path}`, { as: owner, body })).status).toBe(404);
    }
    const token = await media.tokenFor({ id: 1, role: 'admin' });
    const res = await media.get(`/api/broadcasts/${eventId}`, { headers: { authorization: `Bearer ${token}` } });
    expect(res.status).toBe(200);
  });

  test('shows the purchased terms, and that no server receives signals here', async () => {
    const eventId = await stream({ hasTickets: true });
    expect(await state(eventId)).toMatchObject({
      ...{ eventId, title: 'An event', status: 'scheduled', startTime: START, endTime: END, maxViewers: 500 },
      ...{ isTicketed: true, streamKey: null, livestreamUrl: null, canStart: true, notNow: null },
      ingest: {
        rtmpUrl: null,
        whipUrl: null,
        reason: expect.objectContaining({ message: expect.stringContaining('isn’t available') as string }) as object,
      },
    });
    // Organizers can read the sources before they pay.
    expect(await (await media.get('/api/stream-sources')).json()).toEqual({ encoder: false, camera: false });
  });

  test('shows a key once; log and rows contain only the digest of the key', async () => {
    const eventId = await stream();
    const { status, body } = await ask('POST', `/api/broadcasts/${eventId}/key`, { as: owner });
    expect(status).toBe(201);
    const { streamKey } = StreamKey.parse(body);
    expect(streamKey.startsWith(`${eventId}-`)).toBe(true);
    expect((await state(eventId)).streamKey?.ending).toBe(streamKey.slice(-4));
    const { rows } = await media.pool.query(
      `select (select string_agg(data::text, '') from events) || (select string_agg(b::text, '') from broadcasts b) as all`,
    );
    expect(JSON.stringify(rows)).not.toContain(streamKey.slice(4));
    const again = StreamKey.parse((await ask('POST', `/api/broadcasts/${eventId}/key`, { as: owner })).body);
    expect(again.streamKey).not.toBe(streamKey);
  });

  test('refuses a URL that our pages must not embed', async () => {
    const eventId = await stream();
    for (const livestreamUrl of ['http://a.example.org/a.m3u8', 'javascript:alert(1)', 'https://127.0.0.1/a.m3u8', 7]) {
      const { status, body } = await ask('PUT', `/api/broadcasts/${eventId}/url`, {
        as: owner,
        body: { livestreamUrl },
      });
      expect([status, body['errors']]).toMatchObject([400, [{ field: 'livestreamUrl' }]]);
    }
    expect((await state(eventId)).livestreamUrl).toBeNull();
  });

  test('goes live from elsewhere and stops, published once each; not too early and not too late', async () => {
    const eventId = await stream();
    const start = () => ask('POST', `/api/broadcasts/${eventId}/start`, { as: owner });
    expect((await start()).body.code).toBe('nothing-to-show');
    await ask('PUT', `/api/broadcasts/${eventId}/url`, { as: owner, body: { livestreamUrl: url } });
    now = new Date('2026-12-05T23:29:00.000Z');
    expect(await start()).toMatchObject({ status: 409, body: { code: 'not-yet' } });
    now = new Date(END);
    expect(await start()).toMatchObject({ status: 409, body: { code: 'over' } });
    now = new Date('2026-12-06T00:10:00.000Z');
    for (let n = 0; n < 2; n++) expect((await start()).body).toMatchObject({ status: 'live', source: 'outside' });
    for (let n = 0; n < 2; n++) {
      const { body } = await ask('POST', `/api/broadcasts/${eventId}/stop`, { as: owner });
      expect(body).toMatchObject({ status: 'ended', endReason: 'stopped' });
    }
    const { rows } = await media.pool.query<{ type: string }>(
      'select type from events where stream = $1 order by version',
      [`broadcast-${eventId}`],
    );
    expect(rows.map(({ type }) => type)).toEqual(['AddressSet', 'BroadcastStarted', 'BroadcastEnded']);
  });

  test.each<[BroadcastEndReason, (eventId: number) => Promise<unknown>]>([
    ['time', (eventId) => changed(eventId, 'ended', 9)],
    ['canceled', (eventId) => hearOf(media.bus, 'catalog.event-canceled', { eventId, version: 9 })],
  ])('a live broadcast ends by %s, and an older message does not restart it', async (reason, end) => {
    const eventId = await stream();
    await goLive(eventId);
    await end(eventId);
    await eventually(async () => (await state(eventId)).endReason === reason);
    await hearOf(media.bus, 'catalog.event-updated', { eventId, hasTickets: false, title: 'Late', version: 3 });
    await changed(eventId, 'live', 3);
    expect((await state(eventId)).status).toBe(reason === 'time' ? 'ended' : 'canceled');
    expect((await sit(eventId)).body.code).toBe('not-live');
  });
});

describe('viewers', () => {
  test('watch a live broadcast without an account; each viewer counts once however often the viewer asks', async () => {
    const eventId = await stream();
    expect(await playback(eventId)).toMatchObject({ status: 'scheduled', bar: null, viewers: 0 });
    expect(await sit(eventId)).toMatchObject({ status: 409, body: { code: 'not-live' } });
    await goLive(eventId);
    const page = randomUUID();
    for (let n = 0; n < 3; n++) {
      const seat = ViewerSeat.parse((await sit(eventId, page)).body);
      expect(seat).toMatchObject({ kind: 'hls', url, viewers: 1 });
    }
    await sit(eventId);
    expect((await playback(eventId)).viewers).toBe(2);
    expect((await state(eventId)).viewers).toMatchObject({ now: 2, peak: 2, total: 2 });
    expect((await ask('DELETE', `/api/live-streams/${eventId}/viewers/${page}`)).status).toBe(204);
    expect((await state(eventId)).viewers).toMatchObject({ now: 1, peak: 2, total: 2 });
    expect((await sit(eventId, 'x')).status).toBe(400);
    expect((await sit(999_999)).status).toBe(404);
  });

  test('concurrent viewers get only the three existing seats; a seat that was left or has expired is free again', async () => {
    const eventId = await stream({ maxViewers: 3 });
    await goLive(eventId);
    const pages = Array.from({ length: 30 }, () => randomUUID());
    const outcomes = await Promise.all(
      pages.map((page, at) => sit(eventId, page, undefined, { address: `10.3.0.${at + 1}` })),
    );
    const seated = pages.filter((_, at) => outcomes[at]!.status === 200);
    expect(seated).toHaveLength(3);
    expect(outcomes.filter(({ body }) => body.code === 'stream-full')).toHaveLength(27);
    expect((await playback(eventId)).bar).toBe('full');
    // Viewers with a seat keep it, and the event's owner gets a seat.
    const first = { address: `10.3.0.${pages.indexOf(seated[0]!) + 1}` };
    expect((await sit(eventId, seated[0], undefined, first)).status).toBe(200);
    expect((await sit(eventId, randomUUID(), owner)).status).toBe(200);
    await ask('DELETE', `/api/live-streams/${eventId}/viewers/${seated[0]}`, first);
    await media.pool.query(`update broadcast_seats set expires_at = now() where viewer_id = any($1::uuid[])`, [seated]);
    expect((await sit(eventId, randomUUID())).status).toBe(200);
  });

  test('one account gets four seats at most, and a network sixty', async () => {
    const eventId = await stream({ maxViewers: 200 });
    await goLive(eventId);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => sit(eventId, randomUUID(), 11)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(outcomes.filter(({ body }) => body.code === 'too-many-pages')).toHaveLength(2);
    const guests = await Promise.all(Array.from({ length: 65 }, () => sit(eventId)));
    expect(guests.filter(({ status }) => status === 200)).toHaveLength(60);
  });

  test('guests of one IP address never take all seats; visitors from elsewhere and verified accounts get a seat', async () => {
    const eventId = await stream({ maxViewers: 60 });
    await goLive(eventId);
    const here = { address: '2001:db8:1:2::1' };
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => sit(eventId, randomUUID(), undefined, here)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(outcomes.filter(({ body }) => body.code === 'too-many-viewers-here')).toHaveLength(30);
    // The same site from another /64, and with free accounts.
    const nextDoor = { address: '2001:db8:1:3::1' };
    expect((await sit(eventId, randomUUID(), undefined, nextDoor)).body.code).toBe('too-many-viewers-here');
    for (let account = 400; account < 410; account++)
      expect((await sit(eventId, randomUUID(), account, { ...here, isVerified: false })).body.code).toBe(
        'too-many-viewers-here',
      );
    expect((await sit(eventId, randomUUID(), 411, here)).status).toBe(200);
    // A second IP address gets a quarter of all seats, and so on, so the seats are spread over at least four IP
    // addresses.
    const second = await Promise.all(
      Array.from({ length: 40 }, () => sit(eventId, randomUUID(), undefined, { address: '198.51.100.2' })),
    );
    expect(second.filter(({ status }) => status === 200)).toHaveLength(15);
    expect((await sit(eventId, randomUUID(), undefined, { address: '198.51.100.3' })).status).toBe(200);
  });

  test('a seat taken without a verified email address can be left after verification', async () => {
    const eventId = await stream();
    await goLive(eventId);
    const page = randomUUID();
    await sit(eventId, page, 420, { isVerified: false });
    await ask('DELETE', `/api/live-streams/${eventId}/viewers/${page}`, { as: 420 });
    expect((await playback(eventId)).viewers).toBe(0);
  });

  test('of a ticketed stream need a ticket, and cannot renew their seat without it', async () => {
    const eventId = await stream({ hasTickets: true });
    await goLive(eventId);
    expect(await sit(eventId)).toMatchObject({ status: 401, body: { code: 'sign-in-needed' } });
    expect(await sit(eventId, randomUUID(), 21)).toMatchObject({ status: 403, body: { code: 'ticket-needed' } });
    expect([(await playback(eventId)).bar, (await playback(eventId, 21)).bar]).toEqual(['sign-in', 'ticket']);
    const orderId = randomUUID();
    await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId, eventId, quantity: 1, buyerId: 21 });
    const page = randomUUID();
    await eventually(async () => (await sit(eventId, page, 21)).status === 200);
    expect((await playback(eventId, 21)).bar).toBeNull();
    expect((await sit(eventId, randomUUID(), owner)).status).toBe(200);
    await hearOf(media.bus, 'ticketing.refund-requested', { orderId, eventId, quantity: 1 });
    await eventually(async () => (await sit(eventId, page, 21)).body.code === 'ticket-needed');
  });
});

test('a recording is offered to viewers who may watch, with a personal URL that expires after a few hours', async () => {
  const eventId = await stream({ hasTickets: true });
  const session = randomUUID();
  const bytes = Buffer.from('a recording, as far as this test goes');
  await mkdir(join(media.dataDir, 'recordings'), { recursive: true });
  await writeFile(join(media.dataDir, 'recordings', `${session}.mp4`), bytes);
  const kept = { startedAt: START, durationMs: 61_000, bytes: bytes.length };
  await media.broadcasts.handle(
    eventId,
    { type: 'KeepRecording', eventId, session, ...kept },
    { commandId: randomUUID() },
  );
  await changed(eventId, 'ended', 9);
  await hearOf(media.bus, 'ticketing.ticket-purchased', { orderId: randomUUID(), eventId, quantity: 1, buyerId: 22 });
  await eventually(async () => (await playback(eventId, 22)).recordings.length === 1);
  for (const stranger of [undefined, 23]) expect((await playback(eventId, stranger)).recordings).toEqual([]);
  const [recording] = (await playback(eventId, 22)).recordings;
  expect(recording).toMatchObject({ id: session, durationSeconds: 61, bytes: bytes.length });

  const answer = await media.get(recording!.url, { headers: { range: 'bytes=2-10' } });
  expect([answer.status, await answer.text()]).toEqual([206, 'recording']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...{ 'content-type': 'video/mp4', 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' },
    ...{ 'cache-control': 'private, max-age=3600', 'content-range': `bytes 2-10/${bytes.length}` },
  });
  const [, until] = /\/(\d{13})-/.exec(recording!.url)!;
  const longer = recording!.url.replace(until!, String(Number(until) + 1));
  expect((await media.get(longer)).status).toBe(404);
  expect((await media.get(recording!.url.replace(session, randomUUID()))).status).toBe(404);
  const before = now;
  try {
    now = new Date(Number(until) + 1);
    const late = await media.get(recording!.url);
    expect([late.status, await late.json()]).toMatchObject([403, { code: 'address-expired' }]);
  } finally {
    now = before;
  }
});

test('a signal counts as lost when no server receives it; if it does not return, the broadcast ends', async () => {
  const eventId = await stream();
  const session = randomUUID();
  const at = { now, opensAt: new Date(START), closesAt: new Date(END) };
  const begin = { type: 'BeginSignal', eventId, source: 'whip', keyDigest: null, ...at } as const;
  const seen = (name: string) =>
    media.pool.query(
      `insert into broadcast_signals (session, event_id, seen_at) values ($1, $2, now())
       on conflict (session) do update set seen_at = now()`,
      [name, eventId],
    );
  await seen(session);
  await media.broadcasts.handle(eventId, { ...begin, session }, { commandId: randomUUID() });
  expect(await state(eventId)).toMatchObject({ status: 'live', isReceiving: true, source: 'whip' });
  // Simulates that the media server was killed: its last report is 9 seconds old.
  await media.pool.query(`update broadcast_signals set seen_at = now() - interval '9 seconds'`);
  media.watch.wake();
  await eventually(async () => !(await state(eventId)).isReceiving);
  expect((await state(eventId)).status).toBe('live');
  const other = randomUUID();
  await seen(other);
  await media.broadcasts.handle(eventId, { ...begin, session: other }, { commandId: randomUUID() });
  expect(await state(eventId)).toMatchObject({ status: 'live', isReceiving: true });
  await media.pool.query('delete from broadcast_signals');
  media.watch.wake();
  await eventually(async () => !(await state(eventId)).isReceiving);
  await media.pool.query(`update broadcasts set lost_at = now() - interval '31 seconds' where event_id = $1`, [
    eventId,
  ]);
  media.watch.wake();
  await eventually(async () => (await state(eventId)).status === 'ended');
  expect((await state(eventId)).endReason).toBe('signal');
});

describe('the demo’s clip', () => {
  const play = (eventId: number, body: unknown = { clip: 'Waterfront' }, token = INTERNAL_TOKEN) =>
    media.get(`/internal/broadcasts/${eventId}/clip`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-token': token },
      body: JSON.stringify(body),
    });
  const PACKET = 188;

  test('is live, is labeled as a clip, and has a playlist whose segments all play, without any media server', async () => {
    const eventId = await stream();
    for (let n = 0; n < 2; n++) expect((await play(eventId)).status).toBe(204);
    expect(await playback(eventId)).toMatchObject({ status: 'live', isReceiving: true, isClip: true });
    const seat = ViewerSeat.parse((await sit(eventId)).body);
    expect(seat).toMatchObject({ kind: 'hls', isClip: true, viewers: 1 });
    const answered = await media.get(seat.url);
    expect(answered.status).toBe(200);
    expect(answered.headers.get('content-type')).toContain('application/vnd.apple.mpegurl');
    const playlist = await answered.text();
    expect(playlist).not.toContain('#EXT-X-ENDLIST');
    const names = playlist.split('\n').filter((line) => line.endsWith('.ts'));
    expect(names).toHaveLength(6);
    for (const name of names) {
      const segment = await media.get(new URL(name, `http://media${seat.url}`).pathname);
      expect([segment.status, segment.headers.get('content-type')]).toEqual([200, 'video/mp2t']);
      const bytes = Buffer.from(await segment.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(PACKET);
      for (let at = 0; at < bytes.length; at += PACKET) expect(bytes[at]).toBe(0x47);
    }
    for (const name of [
      'clip-6.ts',
      'clip-999.ts',
      'clip-0.mpegts',
      'clip-..%2F..%2Fclip-0.ts',
      `${randomUUID()}-0.ts`,
    ])
      expect((await media.get(seat.url.replace('index.m3u8', name))).status, name).toBe(404);
    // No media server receives the clip, so no reports are expected each second.
    media.watch.wake();
    expect((await state(eventId)).source).toBe('clip');

    await ask('POST', `/api/broadcasts/${eventId}/stop`, { as: owner });
    await eventually(async () => (await (await media.get(seat.url)).text()).includes('#EXT-X-ENDLIST'));
    expect((await media.get(seat.url.replace('index.m3u8', 'clip-0.ts'))).status).toBe(200);
    expect((await sit(eventId)).body.code).toBe('not-live');
  });

  test('is served only to viewers with a seat, like any live stream', async () => {
    const eventId = await stream();
    const other = await stream();
    await play(eventId);
    await play(other, { clip: 'Landmark' });
    const page = randomUUID();
    const { url: address } = ViewerSeat.parse((await sit(eventId, page)).body);
    expect((await media.get(address.replace(page, randomUUID()))).status).toBe(404);
    expect((await media.get(address.replace(`/${eventId}/`, `/${other}/`))).status).toBe(404);
    await ask('DELETE', `/api/live-streams/${eventId}/viewers/${page}`);
    for (const name of ['index.m3u8', 'clip-0.ts'])
      expect((await media.get(address.replace('index.m3u8', name))).status).toBe(403);
  });

  test('can be started only by our services, for an existing live stream, with a known name', async () => {
    const eventId = await stream();
    expect((await play(eventId, { clip: 'Waterfront' }, 'x'.repeat(32))).status).toBe(403);
    for (const body of [{ clip: '../../etc' }, { clip: 'landmark' }, {}, { clip: 'Landmark', url }, 7])
      expect((await play(eventId, body)).status).toBe(400);
    expect((await play(999_999)).status).toBe(404);
    expect((await playback(eventId)).status).toBe('scheduled');
    await goLive(eventId);
    expect((await play(eventId)).status).toBe(409);
  });

  test('ends when the hours of the live stream are over', async () => {
    const eventId = await stream();
    await play(eventId);
    await changed(eventId, 'ended', 9);
    await eventually(async () => (await state(eventId)).endReason === 'time');
  });
});

test('the read models match the log', async () => {
  const { tables } = await rebuild(media.databaseUrl);
  for (const { table, before, after } of tables) expect([table, after]).toEqual([table, before]);
  expect(tables.find(({ table }) => table === 'broadcasts')?.rows).toBeGreaterThan(5);
});
