import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '@beltway/contracts/common/basics';
import { StoredImage } from '@beltway/contracts/media/images';
import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import { SVG_WITH_SCRIPT, photo, pngOf } from '../src/image/testing.ts';
import { loadSharp } from '../src/workers/sharp.ts';
import { startMedia } from './service.ts';
import type { Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

const stored = async (response: Response) => StoredImage.parse(await response.json());
const dataUrl = (bytes: Buffer, type = 'image/jpeg') => `data:${type};base64,${bytes.toString('base64')}`;
const files = async () => (await readdir(media.dataDir, { recursive: true })).filter((name) => name.endsWith('.webp'));

async function refused(response: Response, status: number, code: string, field?: string) {
  const problem = Problem.parse(await response.json());
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(problem).toMatchObject({ status, code });
  if (field) expect(problem.errors?.map((error) => error.field)).toEqual([field]);
  return problem;
}

test('stores an upload and serves all sizes permanently', async () => {
  const response = await media.upload(await photo());
  expect(response.status).toBe(201);
  const { url, thumbnailUrl, width, height } = await stored(response);
  expect({ width, height }).toEqual({ width: 200, height: 300 });

  // The frontend requests the sizes whose URLs it derives from this URL.
  const sizes = storedSizes(url)?.map((size) => size.url);
  expect(sizes).toEqual([thumbnailUrl, url.replace('-large', '-medium'), url]);
  for (const path of sizes ?? []) {
    const picture = await media.get(path);
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    const body = Buffer.from(await picture.arrayBuffer());
    expect(body.subarray(8, 12).toString()).toBe('WEBP');
    expect(body.length).toBe(Number(picture.headers.get('content-length')));
  }
});

test('responds with 304 to a client that has the picture, and to HEAD without a body', async () => {
  const { url } = await stored(await media.upload(await photo()));
  const etag = (await media.get(url)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{64}-[0-9a-f]{6}-large"$/);
  const again = await media.get(url, { headers: { 'if-none-match': `W/"other", ${etag}` } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const head = await media.get(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
});

test('gives the same bytes the same URL, through both endpoints, and stores them once', async () => {
  const picture = await photo('png', 320, 200);
  const first = await stored(await media.upload(picture));
  const before = await files();
  const made = media.made.pictures;
  const again = await Promise.all([
    media.upload(picture, { userId: 8 }),
    media.postInternal({ dataUrl: dataUrl(picture) }),
  ]);
  for (const response of again) {
    expect(response.status).toBe(201);
    expect(await stored(response)).toEqual(first);
  }
  expect(await files()).toEqual(before);
  expect(media.made.pictures).toBe(made);
  const { rows } = await media.pool.query('select uploaded_by from images where hash = $1', [first.url.slice(14, 78)]);
  expect(rows).toEqual([{ uploaded_by: 7 }]);
});

test('a picture’s mean color is in its description and its URL', async () => {
  const sharp = await loadSharp();
  const rust = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#b0472a' } })
    .png()
    .toBuffer();
  const { url, tint } = await stored(await media.upload(rust, { type: 'image/png' }));
  expect(tint).toBe('b0472a');
  expect(tintOf(url)).toBe('#b0472a');
  // A URL with another color returns 404, so that caches cannot be filled with copies.
  expect((await media.get(url.replace('b0472a', 'b0472b'))).status).toBe(404);
});

test('stores a picture from two concurrent uploads only once', async () => {
  const picture = await photo('webp', 500, 500);
  const before = (await files()).length;
  const answers = await Promise.all([11, 12, 13, 14].map((userId) => media.upload(picture, { userId })));
  expect(new Set(await Promise.all(answers.map(async (answer) => (await stored(answer)).url))).size).toBe(1);
  expect((await files()).length).toBe(before + 3);
});

test('makes a known picture again if its file was lost', async () => {
  const picture = await photo('gif', 120, 90);
  const { url } = await stored(await media.upload(picture));
  const lost = (await files()).find((name) => url.endsWith(basename(name))) ?? '';
  await rm(join(media.dataDir, lost));
  expect((await media.get(url)).status).toBe(404);
  expect((await stored(await media.upload(picture))).url).toBe(url);
  expect((await media.get(url)).status).toBe(200);
});

test('accepts a data URL from catalog, whatever type it declares', async () => {
  const response = await media.postInternal({ dataUrl: dataUrl(await photo('png'), 'image/jpeg') });
  expect(response.status).toBe(201);
  expect((await media.get((await stored(response)).thumbnailUrl)).status).toBe(200);
});

test('admits only our own services at the internal endpoint', async () => {
  const body = { dataUrl: dataUrl(await photo()) };
  await refused(await media.postInternal(body, 'x'.repeat(32)), 403, 'forbidden');
  await refused(await media.postInternal(body, ''), 403, 'forbidden');
});

test('accepts uploads only from signed-in users', async () => {
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(await photo())]));
  await refused(await media.get('/api/images', { method: 'POST', body }), 401, 'unauthenticated');
  const expired = await media.tokenFor({ id: 7 }, { exp: Math.floor(Date.now() / 1000) - 60 });
  const headers = { authorization: `Bearer ${expired}` };
  await refused(await media.get('/api/images', { method: 'POST', body, headers }), 401, 'unauthenticated');
});

test('refuses files that are not pictures, with the specified message', async () => {
  const problem = await refused(
    await media.upload(SVG_WITH_SCRIPT, { type: 'image/png' }),
    415,
    'not-an-image',
    'image',
  );
  expect(problem.detail).toBe('Please select an image file (JPG, PNG, GIF, etc.)');
  await refused(await media.upload(Buffer.from('a letter')), 415, 'not-an-image', 'image');
  await refused(
    await media.postInternal({ dataUrl: dataUrl(SVG_WITH_SCRIPT, 'image/svg+xml') }),
    415,
    'not-an-image',
    'imageUrl',
  );
  await refused(await media.postInternal({ dataUrl: 'https://example.test/a.jpg' }), 415, 'not-an-image', 'imageUrl');
});

test('refuses more than 5 MB at both endpoints, and also 50 MB', async () => {
  const big = Buffer.concat([await photo(), randomBytes(5 * 1024 * 1024)]);
  const problem = await refused(await media.upload(big), 413, 'image-too-large', 'image');
  expect(problem.detail).toBe('Please select an image smaller than 5MB');
  await refused(await media.upload(Buffer.alloc(50 * 1024 * 1024)), 413, 'image-too-large', 'image');
  await refused(await media.postInternal({ dataUrl: dataUrl(big) }), 413, 'image-too-large', 'imageUrl');
  await refused(await media.postInternal({ dataUrl: dataUrl(Buffer.alloc(7 * 1024 * 1024)) }), 413, 'too-large');
});

test('responds immediately when the limit is exceeded, before the sender has finished', async () => {
  const sending = request(`${media.url}/api/images`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await media.tokenFor({ id: 7 })}`,
      'content-type': 'multipart/form-data; boundary=b',
      'transfer-encoding': 'chunked',
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
  sending.write(Buffer.alloc(5 * 1024 * 1024 + 1));
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  sending.on('error', () => undefined).destroy();
});

test('accepts a picture of exactly 5 MB', async () => {
  const picture = await photo();
  const padded = Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024 - picture.length)]);
  expect((await media.upload(padded)).status).toBe(201);
  expect((await media.postInternal({ dataUrl: dataUrl(padded) })).status).toBe(201);
});

test('refuses decompression bombs and damaged pictures', async () => {
  await refused(await media.upload(pngOf(30_000, 30_000, 4)), 422, 'image-too-many-pixels', 'image');
  await refused(await media.upload((await photo()).subarray(0, 3_000)), 422, 'image-broken', 'image');
});

test('refuses bodies with another shape', async () => {
  const headers = { authorization: `Bearer ${await media.tokenFor({ id: 7 })}` };
  const post = (body: string | FormData, type?: string) =>
    media.get('/api/images', { method: 'POST', body, headers: { ...headers, ...(type && { 'content-type': type }) } });

  await refused(await post('{}', 'application/json'), 415, 'not-multipart');
  await refused(await post('hello', 'multipart/form-data'), 415, 'not-multipart');
  await refused(await post('--b\r\nhello', 'multipart/form-data; boundary=b'), 400, 'malformed-upload');
  await refused(await post('--b--\r\n', 'multipart/form-data; boundary=b'), 400, 'invalid', 'image');
  await refused(await media.upload(await photo(), { field: 'picture' }), 400, 'invalid', 'picture');

  const two = new FormData();
  for (const name of ['a', 'b']) two.append('image', new Blob([new Uint8Array(await photo())]), name);
  await refused(await post(two), 400, 'invalid', 'image');
  const text = new FormData();
  text.set('image', 'not a file');
  await refused(await post(text), 400, 'invalid', 'image');
  const more = new FormData();
  more.set('image', new Blob([new Uint8Array(await photo())]), 'a');
  more.set('alt', 'A photo');
  await refused(await post(more), 400, 'invalid', 'alt');

  await refused(await media.postInternal({}), 400, 'invalid', 'dataUrl');
  await refused(await media.postInternal({ dataUrl: 'x', more: 1 }), 400, 'invalid', 'more');
});

test.for([
  '/media/images/' + '0'.repeat(64) + '-large.webp',
  '/media/images/' + '0'.repeat(64) + '-huge.webp',
  '/media/images/..%2f..%2f..%2fetc%2fpasswd',
  '/media/images/%2e%2e/%2e%2e/etc/passwd',
  '/media/images/%00.webp',
  '/media/images/%zz.webp',
])('returns 404 for %s', async (path) => {
  const response = await media.get(path);
  expect([400, 404]).toContain(response.status);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
});
