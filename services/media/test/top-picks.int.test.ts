import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '@beltway/contracts/common/basics';
import { Problem } from '@beltway/contracts/common/basics';
import { MyTopPicks, TopPick, TopPickList, TopPickPage, TopPicksToCheck } from '@beltway/contracts/media/top-picks';
import { storedSizes } from '@beltway/contracts/media/pictures';
import { eventually } from '@beltway/kit/testing';
import { photo } from '../src/image/testing.ts';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { erasePerson } from '../src/person.ts';
import { PERSONAL } from '../src/personal-data.ts';
import { rebuild } from '../src/rebuild.ts';
import { mp4, webm } from '../src/video/testing.ts';
import { decided, INTERNAL_TOKEN, hearOf, startMedia, type Media } from './service.ts';

const faults = { puts: 0 };
let media: Media;
beforeAll(async () => {
  media = await startMedia({
    wrapObjects: (objects) => ({
      ...objects,
      put: async (key, body) => {
        if (faults.puts > 0 && --faults.puts === 0)
          throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
        return objects.put(key, body);
      },
    }),
  });
});
afterAll(() => media.stop());

const [ANN, BOB, CID, ADMIN] = [7, 8, 9, 1];
const roleOf = (userId: number): Role => (userId === ADMIN ? 'admin' : 'user');
const bearer = async (userId: number) => ({
  authorization: `Bearer ${await media.tokenFor({ id: userId, role: roleOf(userId) })}`,
});
/** Each test uses different videos. */
let seed = 0;
const fresh = () => mp4({ seed: ++seed, bytes: 300 + seed });

async function call(userId: number | null, method: string, path: string, body?: object, headers: object = {}) {
  const response = await media.get(path, {
    method,
    headers: {
      ...(userId !== null && (await bearer(userId))),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as unknown) : undefined };
}

interface Upload {
  title?: string;
  fields?: Record<string, string>;
  bytes?: Uint8Array | null;
  name?: string;
  type?: string;
  thumbnail?: Uint8Array;
  key?: string;
}
async function upload(userId: number | null, change: Upload = {}): Promise<Response> {
  const { title = 'Lights on U Street', fields = {}, bytes = fresh(), name = 'a.mp4', type = 'video/mp4' } = change;
  const form = new FormData();
  form.set('title', title);
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  if (bytes) form.set('video', new Blob([new Uint8Array(bytes)], { type }), name);
  if (change.thumbnail) form.set('thumbnail', new Blob([new Uint8Array(change.thumbnail)]), name);
  return media.get('/api/top-picks/upload', {
    method: 'POST',
    headers: { ...(userId !== null && (await bearer(userId))), ...(change.key && { 'idempotency-key': change.key }) },
    body: form,
  });
}
const uploaded = async (userId: number, change?: Upload): Promise<TopPick> => {
  const response = await upload(userId, change);
  const body: unknown = await response.json();
  expect(body).toMatchObject({ id: expect.any(Number) as number });
  expect(response.status).toBe(201);
  return TopPick.parse(body);
};
const refusal = async (response: Response) => {
  const { status, code, errors } = Problem.parse(await response.json());
  return { status, code, errors };
};
const listed = async (query = '') => TopPickList.parse((await call(null, 'GET', `/api/top-picks${query}`)).body);
const mine = async (userId: number) => MyTopPicks.parse((await call(userId, 'GET', '/api/top-picks/mine')).body);
const moderate = (id: number, body: object) => call(ADMIN, 'POST', `/api/top-picks/${id}/moderation`, body);
const stored = async () =>
  (await readdir(media.dataDir, { recursive: true })).filter((name) => /^videos\/..\/.*\.(mp4|webm|mov)$/.test(name));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const waiting = async () => readdir(media.uploadsDir).catch(() => []);

test('a video is public immediately, with a picture, and is served whole and in ranges', async () => {
  const bytes = mp4({ bytes: 5_000, place: '+38.8895-077.0353/' });
  const fields = { description: '  From the roof.\n', category: 'venue' };
  const video = await uploaded(ANN, { bytes, fields, name: 'holiday.avi', type: 'application/octet-stream' });
  expect(video).toMatchObject({
    ...{
      title: 'Lights on U Street',
      description: 'From the roof.',
      category: 'venue',
      userId: ANN,
      likes: 0,
      views: 0,
    },
    ...{ approved: true, featured: false, promotedEvent: null, uploadedBy: expect.any(String) as string },
  });
  expect(await listed()).toContainEqual(video);
  expect((await call(null, 'GET', `/api/top-picks/${video.id}`)).body).toEqual(video);
  const list = await media.get('/api/top-picks');
  expect(list.headers.get('cache-control')).toBe('public, max-age=1');

  const whole = await media.get(video.videoUrl);
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    ...{ 'content-type': 'video/mp4', 'content-length': String(bytes.length), 'accept-ranges': 'bytes' },
    ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=31536000, immutable' },
  });
  const kept = Buffer.from(await whole.arrayBuffer());
  expect(kept.length).toBe(bytes.length);
  // The position is not published.
  expect(kept.includes('38.8895')).toBe(false);
  // The name is the hash of the remaining bytes, or of the original bytes if none were removed.
  expect(video.videoUrl).toContain(sha256(kept));
  const plain = fresh();
  expect((await uploaded(ANN, { bytes: plain })).videoUrl).toContain(sha256(plain));

  const etag = whole.headers.get('etag')!;
  const ranged = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await media.get(video.videoUrl, { method, headers });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, range: answer.headers.get('content-range'), body };
  };
  const size = bytes.length;
  const part = { status: 206, range: `bytes 10-19/${size}`, body: kept.subarray(10, 20) };
  expect(await ranged({ range: 'bytes=10-19' })).toEqual(part);
  expect(await ranged({ range: 'bytes=10-19', 'if-range': etag })).toEqual(part);
  expect(await ranged({ range: 'bytes=10-19', 'if-range': '"another"' })).toMatchObject({ status: 200, body: kept });
  expect(await ranged({ range: 'bytes=10-19', 'if-range': `W/${etag}` })).toMatchObject({ status: 200 });
  expect(await ranged({ range: `bytes=${size - 5}-` })).toMatchObject({ status: 206, body: kept.subarray(-5) });
  expect(await ranged({ range: 'bytes=-5' })).toMatchObject({ status: 206, body: kept.subarray(-5) });
  expect(await ranged({ range: `bytes=${size}-` })).toMatchObject({ status: 416, range: `bytes */${size}` });
  expect(await ranged({ range: 'bytes=0-1,5-6' })).toMatchObject({ status: 200, body: kept });
  expect(await ranged({ 'if-none-match': etag })).toMatchObject({ status: 304 });
  expect(await ranged({ range: 'bytes=0-4' }, 'HEAD')).toMatchObject({ status: 200, range: null });

  // Without ffmpeg, the video gets a plain thumbnail.
  expect(media.made.covers).toBeGreaterThan(0);
  for (const { url } of storedSizes(video.thumbnailUrl)!) {
    const picture = await media.get(url);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  }
});

test('an uploaded picture represents the video', async () => {
  const { covers } = media.made;
  const picture = await photo('png', 320, 180);
  const one = await uploaded(ANN, { thumbnail: picture, bytes: webm({ seed: 90 }) });
  expect(one.videoUrl).toMatch(/\.webm$/);
  expect((await media.get(one.videoUrl)).headers.get('content-type')).toBe('video/webm');
  const other = await uploaded(BOB, { thumbnail: picture });
  expect(other.thumbnailUrl).toBe(one.thumbnailUrl);
  expect(media.made.covers).toBe(covers);
});

test('files that are not videos, too large, empty or from guests are refused with the name of the field, and nothing is stored', async () => {
  const before = { videos: (await listed()).length, files: (await stored()).length };
  expect((await upload(null)).status).toBe(401);
  const notVideo = {
    status: 415,
    code: 'not-a-video',
    errors: [{ field: 'video', message: 'Please select a video file.', text: 'not-a-video' }],
  };
  for (const bytes of [Buffer.from('only text'), await photo(), Buffer.from('PK\x03\x04 a zip, and some more of it')])
    expect(await refusal(await upload(ANN, { bytes }))).toEqual(notVideo);
  const text = 'Please provide a title and select a video file.';
  expect(await refusal(await upload(ANN, { bytes: null, title: '' }))).toEqual({
    ...{ status: 400, code: 'invalid' },
    errors: [
      { field: 'title', message: text, text: 'invalid.video-missing' },
      { field: 'video', message: text, text: 'invalid.video-missing' },
    ],
  });
  expect(await refusal(await upload(ANN, { bytes: Buffer.alloc(0) }))).toMatchObject({
    status: 400,
    errors: [{ field: 'video', message: text, text: 'invalid.video-missing' }],
  });
  expect(await refusal(await upload(ANN, { fields: { category: 'cats' } }))).toMatchObject({
    status: 400,
    errors: [{ field: 'category' }],
  });
  expect(await refusal(await upload(ANN, { fields: { featured: 'true' } }))).toMatchObject({
    status: 400,
    errors: [{ field: 'featured', message: 'is not accepted here' }],
  });
  expect(await refusal(await upload(ANN, { title: 'x'.repeat(1_000) }))).toMatchObject({
    errors: [{ field: 'title' }],
  });
  expect(await refusal(await upload(ANN, { thumbnail: Buffer.from('no picture') }))).toMatchObject({
    status: 415,
    errors: [{ field: 'thumbnail' }],
  });
  expect(await refusal(await upload(ANN, { thumbnail: Buffer.alloc(5 * 1024 * 1024 + 1) }))).toMatchObject({
    status: 413,
    errors: [{ field: 'thumbnail' }],
  });
  const large = mp4({ bytes: 51 * 1024 * 1024 });
  expect(await refusal(await upload(ANN, { bytes: large }))).toEqual({
    ...{ status: 413, code: 'video-too-large' },
    errors: [{ field: 'video', message: 'Video file must be less than 50MB.', text: 'video-too-large' }],
  });
  expect(await refusal(await upload(ANN, { bytes: mp4().subarray(0, 300) }))).toMatchObject({ status: 422 });
  await media.sweep.now();
  expect(await waiting()).toEqual([]);
  expect({ videos: (await listed()).length, files: (await stored()).length }).toEqual(before);
});

/** Sends these pieces of a body with a declared length, then disconnects or waits for the response. */
async function sendRaw(length: number, pieces: Buffer[], leaves: boolean): Promise<number | 'cut'> {
  const { port } = new URL(media.url);
  const sending = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/top-picks/upload' },
    headers: {
      ...(await bearer(ANN)),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(length),
    },
  });
  const answered = new Promise<number | 'cut'>((resolve) => {
    sending.on('response', (res) => (res.resume(), resolve(res.statusCode!)));
    sending.on('error', () => resolve('cut'));
  });
  for (const piece of pieces) await new Promise<void>((resolve) => sending.write(piece, () => resolve()));
  if (!leaves) return answered;
  await eventually(async () => (await waiting()).length > 0, { what: 'the first bytes' });
  sending.destroy();
  return answered;
}
const partOf = (name: string, bytes: Buffer, file = 'a.mp4') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);

test('an upload that is interrupted or declares a wrong length stores nothing', async () => {
  const before = (await listed()).length;
  const whole = partOf('video', mp4({ bytes: 200_000 }));
  expect(await sendRaw(1_000_000, [whole.subarray(0, 100_000)], true)).toBe('cut');
  await eventually(async () => (await waiting()).length === 0, { what: 'the file to go' });
  // The body ends in the middle of the file.
  expect(await sendRaw(100_000, [whole.subarray(0, 100_000)], false)).toBe(400);
  // Declares 80 MB, but sends only 10 bytes.
  expect(await sendRaw(80 * 1024 * 1024, [Buffer.alloc(10)], false)).toBe(413);
  expect(await waiting()).toEqual([]);
  expect((await listed()).length).toBe(before);
});

test('file names are ignored, even with paths or if two are equal', async () => {
  const names = [
    '../../../etc/passwd',
    '..\\..\\a.mp4',
    '/tmp/a.mp4',
    'a.mp4',
    'a.mp4',
    'CON',
    `${'x'.repeat(5_000)}.mp4`,
  ];
  const urls = [];
  for (const name of names) urls.push((await uploaded(CID, { name })).videoUrl);
  expect(new Set(urls).size).toBe(names.length);
  for (const url of urls) expect(url).toMatch(/^\/media\/videos\/[0-9a-f]{64}\.mp4$/);
  for (const path of ['..%2f..%2fetc%2fpasswd', 'a.mp4', `${'a'.repeat(64)}.mp4`, `${'a'.repeat(64)}.exe`, '.mp4'])
    expect((await media.get(`/media/videos/${path}`)).status).toBe(404);
});

test('the same bytes are stored as one file, which is deleted with its last video; a repeat with the same key is the same video', async () => {
  const bytes = fresh();
  const key = randomUUID();
  const one = await uploaded(ANN, { bytes, key });
  expect(await uploaded(ANN, { bytes, key })).toEqual(one);
  expect(await refusal(await upload(ANN, { bytes, key, title: 'Another' }))).toMatchObject({ status: 422 });
  const other = await uploaded(BOB, { bytes });
  expect(other.id).not.toBe(one.id);
  expect(other.videoUrl).toBe(one.videoUrl);
  expect((await call(BOB, 'DELETE', `/api/top-picks/${one.id}`)).status).toBe(403);
  expect((await call(ANN, 'DELETE', `/api/top-picks/${one.id}`)).status).toBe(204);
  expect((await call(ANN, 'DELETE', `/api/top-picks/${one.id}`)).status).toBe(204);
  await media.sweep.now();
  expect((await media.get(one.videoUrl)).status).toBe(200);
  expect((await call(ADMIN, 'DELETE', `/api/top-picks/${other.id}`)).status).toBe(204);
  // The deletion woke another sweep, which may still be running.
  await eventually(async () => (await media.get(one.videoUrl)).status === 404, { what: 'the file to go' });
  await eventually(async () => !(await stored()).some((name) => one.videoUrl.endsWith(name.slice(-68))));
  // The idempotency key still belongs to the deleted video.
  expect((await upload(ANN, { bytes, key })).status).toBe(404);
});

test('while the storage is down uploads are refused and the sweep deletes their files; their keys can be used again', async () => {
  const sweepAll = async () => {
    await media.pool.query(
      `update jobs set run_at = now() where queue in ('video-file', 'picture-file') and status = 'waiting'`,
    );
    await media.sweep.now();
  };
  const all = async () => (await readdir(media.dataDir, { recursive: true })).filter((name) => /\.\w{3,4}$/.test(name));
  await sweepAll();
  const before = (await all()).sort();
  const sent: Upload = { bytes: fresh(), key: randomUUID(), thumbnail: await photo('png', 50, 40) };
  // Four writes: three sizes of the picture, and the video.
  for (let put = 1; put <= 4; put++) {
    faults.puts = put;
    expect((await upload(CID, sent)).status).toBeGreaterThanOrEqual(500);
    expect(faults.puts).toBe(0);
  }
  expect(await waiting()).toEqual([]);
  await sweepAll();
  expect((await all()).sort()).toEqual(before);
  await uploaded(CID, sent);
  expect((await all()).length).toBe(before.length + 4);
});

test('ten concurrent uploads all succeed; one account may have only two at a time', async () => {
  const bodies = Array.from({ length: 10 }, (_, at) => mp4({ seed: 100 + at, bytes: 1_000_000 }));
  const videos = await Promise.all(bodies.map((bytes, at) => uploaded(200 + at, { bytes })));
  for (const [at, { videoUrl }] of videos.entries())
    expect(Buffer.from(await (await media.get(videoUrl)).arrayBuffer()).equals(bodies[at]!)).toBe(true);
  const statuses = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, at) => (await upload(300, { bytes: mp4({ seed: 150 + at, bytes: 3_000_000 }) })).status,
    ),
  );
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
  expect(statuses).toContain(503);
  expect(statuses).toContain(201);
});

test('an account likes a video once and can withdraw it; rejected videos take no likes', async () => {
  const { id } = await uploaded(ANN);
  const like = (userId: number | null, method = 'POST') => call(userId, method, `/api/top-picks/${id}/like`);
  expect((await like(null)).status).toBe(401);
  await Promise.all(Array.from({ length: 6 }, () => like(BOB)));
  expect((await like(CID)).body).toEqual({ likes: 2, isLiked: true });
  expect((await mine(BOB)).liked).toContain(id);
  await Promise.all(Array.from({ length: 6 }, () => like(BOB, 'DELETE')));
  expect((await listed()).find((video) => video.id === id)?.likes).toBe(1);
  expect((await mine(BOB)).liked).not.toContain(id);
  await moderate(id, { action: 'reject', reason: 'Not ours' });
  expect((await like(BOB)).status).toBe(404);
});

test('a view counts once per visitor and day, when our player reports it, not when the file is read', async () => {
  const { id, videoUrl } = await uploaded(ANN);
  const look = (agent: string, more = {}) =>
    call(null, 'POST', `/api/top-picks/${id}/view`, undefined, { 'user-agent': agent, ...more });
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0';
  for (let time = 0; time < 5; time++) expect((await look(browser)).status).toBe(204);
  await look('Mozilla/5.0 (Macintosh) Safari/605.1');
  await look('Googlebot/2.1 (+http://www.google.com/bot.html)');
  await look('Mozilla/5.0 (Windows NT 10.0) Chrome/150', { 'sec-fetch-site': 'cross-site' });
  for (let at = 0; at < 5; at++) await media.get(videoUrl, { headers: { range: `bytes=${at}-${at}` } });
  await media.views.flush();
  await look(browser);
  await media.views.flush();
  expect((await listed()).find((video) => video.id === id)?.views).toBe(2);
  expect((await media.pool.query('select visitor from video_visitors where video_id = $1', [id])).rowCount).toBe(2);
});

test('decisions from the report queue are applied', async () => {
  const { id } = await uploaded(ANN, { title: 'In question' });
  const isListed = async () => (await listed()).some((one) => one.id === id);
  expect((await call(BOB, 'POST', `/api/top-picks/${id}/report`, { reason: 'rights' })).status).toBe(204);
  expect(media.reports.queued.at(-1)).toMatchObject({ kind: 'video', id: String(id), reason: 'rights', authorId: ANN });
  await decided(media.bus, 'video', id, 'hide', 1);
  await eventually(async () => !(await isListed()));
  await decided(media.bus, 'video', id, 'restore', 2);
  await eventually(isListed);
  await decided(media.bus, 'video', id, 'remove', 3);
  await eventually(
    async () => (await media.pool.query('select from items where kind = $2 and id = $1', [id, 'video'])).rowCount === 0,
  );
});

test('an admin rejects with a reason, approves, features, and settles reports', async () => {
  const { id } = await uploaded(ANN, { title: 'To be looked at' });
  expect((await call(BOB, 'POST', `/api/top-picks/${id}/moderation`, { action: 'feature' })).status).toBe(403);
  expect((await moderate(id, { action: 'feature' })).status).toBe(204);
  expect((await listed())[0]).toMatchObject({ id, featured: true });

  const report = (userId: number) =>
    call(userId, 'POST', `/api/top-picks/${id}/report`, { reason: 'rights', note: 'It is mine.' });
  expect((await report(ANN)).status).toBe(409);
  expect([(await report(BOB)).status, (await report(BOB)).status]).toEqual([204, 204]);
  await media.reports.settled();
  const reported = async () =>
    TopPicksToCheck.parse((await call(ADMIN, 'GET', '/api/top-picks/moderation?status=reported')).body).items;
  expect((await reported()).find((one) => one.id === id)?.reports).toMatchObject([
    { reason: 'rights', note: 'It is mine.' },
  ]);
  expect((await call(BOB, 'GET', '/api/top-picks/moderation')).status).toBe(403);
  await moderate(id, { action: 'keep' });
  expect(await reported()).not.toContainEqual(expect.objectContaining({ id }));

  await moderate(id, { action: 'reject', reason: 'Shows faces' });
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
  expect((await call(null, 'GET', `/api/top-picks/${id}`)).status).toBe(404);
  expect((await mine(ANN)).videos.find((one) => one.id === id)).toMatchObject({
    approved: false,
    reason: 'Shows faces',
  });
  expect((await report(CID)).status).toBe(404);
  expect((await moderate(id, { action: 'feature' })).status).toBe(409);
  const all = TopPicksToCheck.parse((await call(ADMIN, 'GET', '/api/top-picks/moderation?status=all&limit=60')).body);
  expect(all.items.find((one) => one.id === id)).toMatchObject({ approved: false, featured: false });
  await moderate(id, { action: 'approve' });
  expect((await listed()).find((one) => one.id === id)).toMatchObject({ approved: true, featured: false });
  await moderate(id, { action: 'remove' });
  expect((await moderate(id, { action: 'keep' })).status).toBe(404);
  expect((await moderate(999_999, { action: 'keep' })).status).toBe(404);
});

const EVENT = 51;
const promoted = (promotionId: string, eventId: number, level: string) =>
  hearOf(media.bus, 'catalog.promotion-started', {
    ...{ promotionId, paymentId: 'pi_123456', eventId, level, amountCents: 4_999 },
    until: '2099-01-01T00:00:00.000Z',
  });

test('a buyer of premium uploads a clip of the event, which leads the list until the event is canceled', async () => {
  await hearOf(media.bus, 'catalog.event-published', { eventId: EVENT, title: 'Roof party', ownerId: ANN });
  await promoted(randomUUID(), EVENT, 'premium');
  await promoted(randomUUID(), EVENT, 'featured');
  // The right and the event's title arrive through different groups.
  await eventually(async () => (await mine(ANN)).clips[0]?.title === 'Roof party', { what: 'the right' });
  expect((await mine(ANN)).clips).toMatchObject([{ eventId: EVENT }]);
  const fields = { eventId: String(EVENT) };
  expect(await refusal(await upload(BOB, { fields }))).toMatchObject({
    status: 403,
    errors: [{ field: 'eventId' }],
  });
  // The upload is refused after the right was assigned, so the right is freed again.
  expect((await upload(ANN, { fields, thumbnail: Buffer.from('no picture') })).status).toBe(415);
  const key = randomUUID();
  const bytes = fresh();
  const clip = await uploaded(ANN, { fields, key, bytes, title: 'Our clip' });
  expect(clip.promotedEvent).toEqual({ id: EVENT, title: 'Roof party' });
  expect(await uploaded(ANN, { fields, key, bytes, title: 'Our clip' })).toEqual(clip);
  expect((await mine(ANN)).clips).toEqual([]);
  expect((await upload(ANN, { fields })).status).toBe(403);
  const { id: featured } = await uploaded(BOB);
  await moderate(featured, { action: 'feature' });
  const { id: newest } = await uploaded(CID);
  expect((await listed()).slice(0, 3).map(({ id }) => id)).toEqual([clip.id, featured, newest]);

  await call(ANN, 'DELETE', `/api/top-picks/${clip.id}`);
  expect((await mine(ANN)).clips).toHaveLength(1);
  const again = await uploaded(ANN, { fields, title: 'A better clip' });
  expect(again.promotedEvent?.id).toBe(EVENT);
  await hearOf(media.bus, 'catalog.event-canceled', { eventId: EVENT, version: 9 });
  await eventually(async () => (await listed())[0]!.id !== again.id, { what: 'the end of the promotion' });
  expect((await listed()).find(({ id }) => id === again.id)?.promotedEvent).toBeNull();
  await moderate(featured, { action: 'unfeature' });
});

test('a clip of a suspended event is not in the list until the event is back', async () => {
  const eventId = 73;
  const hear = (type: 'published' | 'updated', version: number, more = {}) =>
    hearOf(media.bus, `catalog.event-${type}`, { eventId, title: 'Held back', ownerId: ANN, version, ...more });
  await hear('published', 1);
  await promoted(randomUUID(), eventId, 'premium');
  await eventually(async () => (await mine(ANN)).clips.length === 1, { what: 'the right' });
  const { id } = await uploaded(ANN, { fields: { eventId: String(eventId) } });
  const isListed = async () => (await listed()).some((one) => one.id === id);
  expect(await isListed()).toBe(true);
  await hear('updated', 2, { isSuspended: true });
  await eventually(async () => !(await isListed()), { what: 'the suspension' });
  await hear('updated', 3);
  await eventually(isListed, { what: 'the end of the suspension' });
  await call(ANN, 'DELETE', `/api/top-picks/${id}`);
});

test.each(['before', 'after'])(
  'if a promotion loses its payment, its clip is no longer promoted, even if that message arrives %s the promotion',
  async (order) => {
    const [eventId, promotionId] = [order === 'before' ? 61 : 62, randomUUID()];
    await hearOf(media.bus, 'catalog.event-published', { eventId, title: 'Roof party', ownerId: CID });
    const returned = () =>
      hearOf(media.bus, 'catalog.promotion-returned', {
        ...{ promotionId, paymentId: 'pi_123456', eventId, level: 'premium', amountCents: 4_999 },
        reason: 'disputed',
      });
    if (order === 'before') await returned();
    await promoted(promotionId, eventId, 'premium');
    // When this second right has arrived, all earlier messages have also arrived.
    await promoted(randomUUID(), eventId, 'premium');
    const clips: TopPick[] = [];
    for (let rights = order === 'before' ? 1 : 2; rights > 0; rights--) {
      await eventually(async () => (await mine(CID)).clips.length === 1, { what: 'the right' });
      clips.push(await uploaded(CID, { fields: { eventId: String(eventId) } }));
    }
    expect((await mine(CID)).clips).toEqual([]);
    if (order === 'after') await returned();
    const withPromotion = async () =>
      (await listed()).filter(({ id, promotedEvent }) => promotedEvent && clips.some((one) => one.id === id)).length;
    await eventually(async () => (await withPromotion()) === 1, { what: 'one clip without its promotion' });
    await hearOf(media.bus, 'catalog.event-canceled', { eventId, version: 9 });
    await eventually(async () => (await withPromotion()) === 0, { what: 'the end of the other' });
  },
);

test('the pages of a category together contain each video once, even during uploads and promotions', async () => {
  const own: number[] = [];
  for (let at = 0; at < 7; at++) own.push((await uploaded(400 + at, { fields: { category: 'announcement' } })).id);
  await moderate(own[2]!, { action: 'feature' });
  const seen: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `?category=announcement&limit=2${cursor && `&cursor=${cursor}`}`;
    const page = TopPickPage.parse((await call(null, 'GET', `/api/top-picks${query}`)).body);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (seen.length === 2) await uploaded(500, { fields: { category: 'announcement' } });
  }
  expect(seen).toEqual([own[2], ...own.filter((id) => id !== own[2]).reverse()]);
  for (const query of ['?category=cats', '?limit=0', '?limit=61', '?cursor=x', '?cursor=WzMsMV0'])
    expect((await call(null, 'GET', `/api/top-picks${query}`)).status, query).toBe(400);
});

test('erasing an account deletes its videos, their files and its likes', async () => {
  const LEAVING = 600;
  const own = await uploaded(LEAVING);
  const other = await uploaded(BOB);
  await call(LEAVING, 'POST', `/api/top-picks/${other.id}/like`);
  const part = await media.get(`/internal/people/${LEAVING}`, { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect(await part.json()).toMatchObject({
    videos: [{ id: own.id, url: own.videoUrl, title: own.title }],
    videoLikes: [{ videoId: other.id }],
  });
  const { rows } = await media.pool.query<{ highest: number }>(`select (${highestAccountOf(PERSONAL)}) as highest`);
  expect(rows[0]!.highest).toBeGreaterThanOrEqual(LEAVING);
  await erasePerson(media, LEAVING);
  await erasePerson(media, LEAVING);
  await eventually(async () => (await media.get(own.videoUrl)).status === 404, { what: 'the file to go' });
  expect((await listed()).find(({ id }) => id === other.id)?.likes).toBe(0);
  for (const text of [
    'select from item_texts t join items i using (kind, id) where user_id = $1',
    'select from requests where user_id = $1',
  ])
    expect((await media.pool.query(text, [LEAVING])).rowCount, text).toBe(0);
  expect((await media.pool.query(`select from item_texts where kind = 'video' and id = $1`, [own.id])).rowCount).toBe(
    0,
  );
});

test('the videos are unchanged after a rebuild', async () => {
  const rows = async () => (await media.pool.query('select * from items order by kind, id')).rows as unknown[];
  const before = await rows();
  await rebuild(media.databaseUrl);
  expect(await rows()).toEqual(before);
});
