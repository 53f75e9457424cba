import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '@beltway/contracts/common/basics';
import { Problem } from '@beltway/contracts/common/basics';
import { Photo, PhotoPage, PhotosToCheck, UploadRights, VerificationRequests } from '@beltway/contracts/media/gallery';
import { storedSizes, tintOf } from '@beltway/contracts/media/pictures';
import { eventually } from '@beltway/kit/testing';
import { SVG_WITH_SCRIPT, photo, pngOf, withFaces } from '../src/image/testing.ts';
import { erasePerson } from '../src/person.ts';
import { rebuild } from '../src/rebuild.ts';
import { loadSharp } from '../src/workers/sharp.ts';
import { INTERNAL_TOKEN, decided, hearOf, startMedia, type Media } from './service.ts';

const faults = { puts: 0 };
let media: Media;
let picture: Buffer;
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
  picture = await photo('jpeg', 40, 30);
  for (const [eventId, eventDate] of [
    [PAST, '2026-03-07T05:00:00.000Z'],
    [OTHER, '2026-03-08T05:00:00.000Z'],
    [TO_COME, '2099-03-07T05:00:00.000Z'],
  ] as const)
    await hearOf(media.bus, 'catalog.event-published', { eventId, title: `Event ${eventId}`, eventDate });
  await bought(ANN, PAST);
  await bought(ANN, TO_COME);
  await eventually(async () => (await count('gallery_events')) === 3 && (await count('ticket_orders')) === 2);
});
afterAll(() => media.stop());

/** Events, and four accounts: Ann attended, Bob did not attend, a business, an admin. */
const [PAST, OTHER, TO_COME] = [41, 42, 43];
const [ANN, BOB, BIZ, ADMIN] = [7, 8, 9, 1];
const ROLES: Record<number, Role> = { [BIZ]: 'business', [ADMIN]: 'admin', 10: 'business', 11: 'business' };

const bought = (buyerId: number, eventId: number, orderId: string = randomUUID()) =>
  hearOf(media.bus, 'ticketing.ticket-purchased', { orderId, eventId, quantity: 1, buyerId });
const PICTURE_JOBS = `jobs where queue = 'picture-file'`;
const count = async (table: string) =>
  (await media.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n;
const files = async () =>
  (await readdir(media.dataDir, { recursive: true })).filter(
    (name) => name.startsWith('gallery/') && name.endsWith('.webp'),
  );
const bearer = async (userId: number) => ({
  authorization: `Bearer ${await media.tokenFor({ id: userId, role: ROLES[userId] ?? 'user' })}`,
});

async function call(userId: number, method: string, path: string, body?: object) {
  const response = await media.get(path, {
    method,
    headers: { ...(await bearer(userId)), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as unknown) : undefined };
}

interface Upload {
  title?: string;
  description?: string;
  eventId?: number | string;
  more?: Record<string, string>;
  bytes?: Uint8Array | null;
  name?: string;
  key?: string;
}
async function upload(userId: number | null, change: Upload = {}): Promise<Response> {
  const { title = 'The crowd', description, eventId = PAST, bytes = picture, name = 'a.jpg', key } = change;
  const form = new FormData();
  form.set('title', title);
  if (description !== undefined) form.set('description', description);
  form.set('eventId', String(eventId));
  for (const [field, value] of Object.entries(change.more ?? {})) form.set(field, value);
  if (bytes) form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), name);
  return media.get('/api/gallery/upload', {
    method: 'POST',
    headers: { ...(userId !== null && (await bearer(userId))), ...(key && { 'idempotency-key': key }) },
    body: form,
  });
}
const uploaded = async (userId: number, change?: Upload): Promise<Photo> => {
  const response = await upload(userId, change);
  const body: unknown = await response.json();
  expect(body).toMatchObject({ id: expect.any(Number) as number });
  expect(response.status).toBe(201);
  return Photo.parse(body);
};
const refusal = async (response: Response) => {
  const { status, code, errors } = Problem.parse(await response.json());
  return { status, code, errors };
};
const seenBy = async (userId: number, query = '?limit=60') =>
  PhotoPage.parse((await call(userId, 'GET', `/api/gallery${query}`)).body).items;
const idsOf = (photos: Photo[]) => photos.map(({ id }) => id);
const moderate = (id: number, body: object) => call(ADMIN, 'POST', `/api/gallery/${id}/moderation`, body);

test('an attendee uploads a photo that is public immediately, in three sizes, without its position and face tags', async () => {
  const sharp = await loadSharp();
  const taken = withFaces(await photo('jpeg', 2_000, 1_400), 'Ann Example');
  // The EXIF tag that points to the position, in either byte order.
  const { exif: before, xmp: faces } = await sharp(taken).metadata();
  expect(faces!.toString()).toContain('mwg-rs:Name="Ann Example"');
  expect(['2588', '8825'].some((tag) => before!.includes(Buffer.from(tag, 'hex')))).toBe(true);
  const mine = await uploaded(ANN, { bytes: taken, description: '  From the balcony.\n' });
  expect(mine).toMatchObject({
    ...{ title: 'The crowd', description: 'From the balcony.', eventId: PAST, eventTitle: 'Event 41' },
    ...{ isVerified: true, status: 'verified', likes: 0, isLiked: false, isOwn: true, width: 1_400, height: 2_000 },
  });
  expect(tintOf(mine.imageUrl)).toMatch(/^#/);
  const sizes = storedSizes(mine.imageUrl)!;
  expect(sizes.map(({ width }) => width)).toEqual([640, 960, 1600]);
  for (const { url } of sizes) {
    const answer = await media.get(url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes('Ann Example')).toBe(false);
    const { exif, icc, xmp, iptc } = await sharp(bytes).metadata();
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
  }
  const [shown] = await seenBy(BOB);
  expect(shown).toEqual({ ...mine, isOwn: false });
  expect(JSON.stringify(shown)).not.toMatch(/user|uploader/i);
});

test('only attendees and businesses may upload; a business’s photos wait for an admin’s review', async () => {
  expect(await refusal(await upload(BOB))).toMatchObject({ status: 403, code: 'not-verified' });
  expect(await refusal(await upload(ANN, { eventId: OTHER }))).toMatchObject({ status: 403 });
  expect(await refusal(await upload(ANN, { eventId: TO_COME }))).toMatchObject({ status: 403 });

  const pending = await uploaded(BIZ, { title: 'Our stage', eventId: TO_COME });
  expect(pending).toMatchObject({ isVerified: false, status: 'pending' });
  expect(idsOf(await seenBy(BIZ))).toContain(pending.id);
  for (const reader of [ANN, BOB, ADMIN]) expect(idsOf(await seenBy(reader))).not.toContain(pending.id);
  expect((await call(BOB, 'GET', `/api/gallery/${pending.id}`)).status).toBe(404);
  expect((await call(BOB, 'POST', `/api/gallery/${pending.id}/like`)).status).toBe(404);
  expect((await call(BOB, 'DELETE', `/api/gallery/${pending.id}`)).status).toBe(404);
  expect((await call(ADMIN, 'GET', `/api/gallery/${pending.id}`)).status).toBe(200);

  const toCheck = PhotosToCheck.parse((await call(ADMIN, 'GET', '/api/gallery/moderation')).body);
  expect(toCheck.items).toMatchObject([{ id: pending.id, uploaderId: BIZ }]);
  expect((await call(BIZ, 'GET', '/api/gallery/moderation')).status).toBe(403);
  expect((await call(BIZ, 'POST', `/api/gallery/${pending.id}/moderation`, { action: 'verify' })).status).toBe(403);

  expect((await moderate(pending.id, { action: 'reject' })).status).toBe(400);
  expect((await moderate(pending.id, { action: 'reject', reason: 'Too dark' })).status).toBe(204);
  expect((await call(BIZ, 'GET', `/api/gallery/${pending.id}`)).body).toMatchObject({
    status: 'rejected',
    reason: 'Too dark',
  });
  expect((await call(BOB, 'GET', `/api/gallery/${pending.id}`)).status).toBe(404);
  expect((await moderate(pending.id, { action: 'verify' })).status).toBe(204);
  expect((await call(BOB, 'GET', `/api/gallery/${pending.id}`)).body).toMatchObject({ isVerified: true, reason: null });
});

test('a business verified by an admin needs no check, for events that have begun', async () => {
  const biz = 10;
  const ask = { businessName: 'U Street Music Hall', about: 'We run the room.' };
  expect((await call(BOB, 'POST', '/api/gallery/verification', ask)).status).toBe(403);
  expect(UploadRights.parse((await call(biz, 'GET', '/api/gallery/verification')).body)).toMatchObject({
    ...{ mayUploadForAll: true, events: [], business: { state: 'none' } },
  });
  for (const _ of [1, 2])
    expect((await call(biz, 'POST', '/api/gallery/verification', ask)).body).toMatchObject({
      business: { state: 'asked' },
    });
  const { items } = VerificationRequests.parse((await call(ADMIN, 'GET', '/api/gallery/verifications')).body);
  expect(items).toMatchObject([{ userId: biz, ...ask }]);
  expect((await uploaded(biz)).isVerified).toBe(false);
  expect((await call(biz, 'POST', `/api/gallery/verifications/${biz}`, { action: 'verify' })).status).toBe(403);
  expect((await call(ADMIN, 'POST', '/api/gallery/verifications/999', { action: 'verify' })).status).toBe(409);
  expect((await call(ADMIN, 'POST', `/api/gallery/verifications/${biz}`, { action: 'verify' })).status).toBe(204);
  expect((await uploaded(biz)).isVerified).toBe(true);
  expect((await uploaded(biz, { eventId: TO_COME })).isVerified).toBe(false);
  expect((await call(ADMIN, 'POST', `/api/gallery/verifications/${biz}`, { action: 'decline' })).status).toBe(204);
  expect((await uploaded(biz)).isVerified).toBe(false);
});

test('Get Verified lists the events for which the account holds a ticket, until the ticket is returned', async () => {
  const [userId, orderId] = [21, randomUUID()];
  await bought(userId, PAST, orderId);
  await bought(userId, TO_COME);
  const rights = async () => UploadRights.parse((await call(userId, 'GET', '/api/gallery/verification')).body);
  await eventually(async () => (await rights()).events.length === 2);
  expect(await rights()).toMatchObject({
    ...{ mayUploadForAll: false, business: null },
    events: [
      { eventId: TO_COME, hasBegun: false },
      { eventId: PAST, hasBegun: true },
    ],
  });
  const kept = await uploaded(userId);
  await hearOf(media.bus, 'ticketing.refund-requested', { orderId, eventId: PAST, quantity: 1 });
  await eventually(async () => (await rights()).events.length === 1);
  expect((await upload(userId)).status).toBe(403);
  // A verified photo stays verified.
  expect(idsOf(await seenBy(BOB))).toContain(kept.id);
});

test('all calls require signing in', async () => {
  expect((await upload(null)).status).toBe(401);
  for (const [method, path] of [
    ['GET', '/api/gallery'],
    ['GET', '/api/gallery/events'],
    ['GET', '/api/gallery/verification'],
    ['POST', '/api/gallery/1/like'],
    ['DELETE', '/api/gallery/1'],
    ['POST', '/api/gallery/1/report'],
    ['GET', '/api/gallery/moderation'],
  ] as const)
    expect((await media.get(path, { method })).status, `${method} ${path}`).toBe(401);
});

test('reports all missing fields, with the specified messages', async () => {
  const answer = await refusal(await upload(ANN, { title: ' \u2800 ', eventId: '', bytes: null }));
  expect(answer).toMatchObject({ status: 400, code: 'invalid' });
  expect(answer.errors).toEqual([
    { field: 'title', message: 'Please provide a title for your photo.', text: 'invalid.photo-title' },
    { field: 'eventId', message: 'Please select which event this photo is from.', text: 'invalid.photo-event' },
    { field: 'image', message: 'Please select an image to upload.', text: 'invalid.photo-missing' },
  ]);
  for (const eventId of ['0', '-1', '1e3', '999999', '99999999999', '1; drop table photos', '4.1'])
    expect(await refusal(await upload(ANN, { eventId })), eventId).toMatchObject({
      status: 400,
      errors: [{ field: 'eventId' }],
    });
  for (const [change, field] of [
    [{ title: 'x'.repeat(121) }, 'title'],
    [{ description: 'x'.repeat(1_001) }, 'description'],
    [{ description: 'y'.repeat(60_000) }, 'description'],
    [{ description: '\u0000' }, 'description'],
    [{ more: { isVerified: 'true' } }, 'isVerified'],
    [{ more: { constructor: 'x' } }, 'constructor'],
  ] as const)
    expect(await refusal(await upload(ANN, change)), field).toMatchObject({ status: 400, errors: [{ field }] });
});

test('accepts only pictures, whatever their declared type', async () => {
  const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)]);
  const script = Buffer.from('GIF89a/*' + ' '.repeat(40) + '*/=1;alert(1)');
  const message = 'Please select an image file (JPG, PNG, GIF, etc.)';
  const type = { field: 'image', message, text: 'not-an-image' };
  const before = [await count('items'), await count('item_texts'), await count(PICTURE_JOBS), await files()];
  for (const [bytes, status, code] of [
    [zip, 415, 'not-an-image'],
    [SVG_WITH_SCRIPT, 415, 'not-an-image'],
    [script, 422, 'image-broken'],
    [pngOf(30_000, 30_000, 1), 422, 'image-too-many-pixels'],
    [(await photo('jpeg', 400, 300)).subarray(0, 2_000), 422, 'image-broken'],
    [Buffer.alloc(10 * 1024 * 1024 + 1, 0xff), 413, 'image-too-large'],
    [Buffer.alloc(12 * 1024 * 1024, 0xff), 413, 'image-too-large'],
  ] as const) {
    const answer = await refusal(await upload(ANN, { bytes, name: 'photo.jpg' }));
    expect(answer).toMatchObject({ status, code, errors: [{ field: 'image' }] });
    if (code === 'not-an-image') expect(answer.errors).toEqual([type]);
    if (code === 'image-too-large')
      expect(answer.errors?.[0]?.message).toBe(
        'Image must be under 10MB. Please compress your image or choose a smaller file.',
      );
  }
  expect([await count('items'), await count('item_texts'), await count(PICTURE_JOBS), await files()]).toEqual(before);
});

test('only the picture of a polyglot is kept', async () => {
  const html = '<script>alert(document.domain)</script>';
  const { imageUrl } = await uploaded(ANN, { bytes: Buffer.concat([await photo('jpeg', 61, 47), Buffer.from(html)]) });
  for (const { url } of storedSizes(imageUrl)!)
    expect(Buffer.from(await (await media.get(url)).arrayBuffer()).includes('script')).toBe(false);
});

test('accepts up to 10 MB, and ignores file names', async () => {
  const wide = await photo('png', 60, 40);
  // A chunk that decoders skip makes the file large.
  const large = Buffer.concat([await photo('jpeg', 64, 48), Buffer.alloc(6 * 1024 * 1024)]);
  await uploaded(ANN, { bytes: large });
  const before = await files();
  const names = ['../../etc/passwd', 'C:\\x\\y.png', 'same.jpg', 'same.jpg', '.incoming/x', '%2e%2e%2f'];
  const photos: Photo[] = [];
  for (const name of names) photos.push(await uploaded(ANN, { bytes: wide, name }));
  expect(new Set(idsOf(photos)).size).toBe(names.length);
  // The same picture is stored once.
  expect(new Set(photos.map(({ imageUrl }) => imageUrl)).size).toBe(1);
  expect(await files()).toHaveLength(before.length + 3);
  expect((await media.get('/media/gallery/..%2f..%2fx-large.webp')).status).toBe(404);
  expect((await media.get(`/media/gallery/${'0'.repeat(64)}-aabbcc-large.webp`)).status).toBe(404);
});

test('an upload repeated with its key is the same photo; a different upload with the key is refused', async () => {
  const key = randomUUID();
  const [first, again] = await Promise.all([uploaded(ANN, { key }), uploaded(ANN, { key })]);
  expect(again).toEqual(first);
  expect(await refusal(await upload(ANN, { key, title: 'Another' }))).toMatchObject({ status: 422 });
  expect((await uploaded(10, { key })).id).not.toBe(first.id);
  expect((await call(ANN, 'DELETE', `/api/gallery/${first.id}`)).status).toBe(204);
  expect((await upload(ANN, { key })).status).toBe(404);
  await eventually(async () => (await call(ANN, 'GET', `/api/gallery/${first.id}`)).status === 404);
});

test('likes count once per account, and can be withdrawn', async () => {
  const { id } = await uploaded(ANN, { title: 'Liked' });
  const like = (userId: number, method = 'POST') => call(userId, method, `/api/gallery/${id}/like`);
  const storm = await Promise.all(Array.from({ length: 40 }, () => like(BOB)));
  expect(new Set(storm.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await like(ANN)).body).toEqual({ likes: 2, isLiked: true });
  const [seen] = (await seenBy(BOB)).filter((one) => one.id === id);
  expect(seen).toMatchObject({ likes: 2, isLiked: true });
  await Promise.all(Array.from({ length: 20 }, (_, at) => like(BOB, at % 2 ? 'DELETE' : 'POST')));
  expect((await like(BOB, 'DELETE')).body).toEqual({ likes: 1, isLiked: false });
  expect((await like(BOB, 'DELETE')).body).toEqual({ likes: 1, isLiked: false });
  const { rows } = await media.pool.query(`select user_id from item_likes where kind = 'photo' and id = $1`, [id]);
  expect(rows).toEqual([{ user_id: ANN }]);
  const more = await Promise.all(Array.from({ length: 130 }, () => call(22, 'POST', `/api/gallery/${id}/like`)));
  expect(more.filter(({ status }) => status === 429).length).toBe(10);
  expect((await call(BOB, 'POST', '/api/gallery/99999999/like')).status).toBe(404);
});

test('the list is paged without gaps or duplicates, even for one event', async () => {
  for (let at = 0; at < 5; at++) await uploaded(ADMIN, { title: `Page ${at}`, eventId: OTHER });
  const found: number[] = [];
  let query = `?eventId=${OTHER}&limit=2`;
  for (;;) {
    const page = PhotoPage.parse((await call(BOB, 'GET', `/api/gallery${query}`)).body);
    found.push(...idsOf(page.items));
    if (!page.nextCursor) break;
    // Photos uploaded in between are newer, so the following pages do not change.
    if (found.length === 2) await uploaded(ADMIN, { title: 'Meanwhile', eventId: OTHER });
    query = `?eventId=${OTHER}&limit=2&cursor=${page.nextCursor}`;
  }
  expect(found).toHaveLength(5);
  expect(found).toEqual([...new Set(found)].sort((a, b) => b - a));
  const list = (await call(BOB, 'GET', '/api/gallery')).body as unknown[];
  expect(Photo.array().parse(list)[0]).toMatchObject({ title: 'Meanwhile' });
  expect((await call(BOB, 'GET', '/api/gallery/events')).body).toContainEqual({
    eventId: OTHER,
    title: 'Event 42',
    photos: 6,
  });
  for (const bad of ['limit=0', 'limit=61', 'cursor=x', 'eventId=-1'])
    expect((await call(BOB, 'GET', `/api/gallery?${bad}`)).status, bad).toBe(400);
});

test('each account reports once, and an admin keeps the photo or removes it permanently', async () => {
  const shown = await uploaded(ANN, { title: 'Reported', bytes: await photo('png', 81, 33) });
  const report = (userId: number, body: object = { reason: 'privacy', note: 'That is me' }) =>
    call(userId, 'POST', `/api/gallery/${shown.id}/report`, body);
  expect((await report(ANN)).status).toBe(409);
  expect((await report(BOB, { reason: 'other', note: 'x'.repeat(501) })).status).toBe(400);
  for (const _ of [1, 2]) expect((await report(BOB)).status).toBe(204);
  await media.reports.settled();
  const reported = async () =>
    PhotosToCheck.parse((await call(ADMIN, 'GET', '/api/gallery/moderation?status=reported')).body).items;
  expect(await reported()).toMatchObject([{ id: shown.id, reports: [{ reason: 'privacy', note: 'That is me' }] }]);
  expect(await moderate(shown.id, { action: 'keep' })).toMatchObject({ status: 204 });
  expect(await reported()).toEqual([]);
  expect((await report(22, { reason: 'abuse' })).status).toBe(204);
  await media.reports.settled();
  expect(await reported()).toMatchObject([{ reports: [{ reason: 'abuse', note: null }] }]);

  expect((await call(BOB, 'DELETE', `/api/gallery/${shown.id}`)).status).toBe(403);
  expect((await moderate(shown.id, { action: 'remove' })).status).toBe(204);
  expect((await moderate(shown.id, { action: 'remove' })).status).toBe(204);
  expect((await moderate(shown.id, { action: 'verify' })).status).toBe(404);
  expect((await call(ANN, 'GET', `/api/gallery/${shown.id}`)).status).toBe(404);
  await eventually(async () => (await media.get(shown.imageUrl)).status === 404);
});

test('decisions from the report queue are applied, and the latest wins; new reports are sent to the queue', async () => {
  const { id } = await uploaded(ANN, { title: 'In question', bytes: await photo('png', 83, 34) });
  const isSeen = async () => idsOf(await seenBy(BOB)).includes(id);
  const write = (body: object) =>
    media.get(`/internal/content/photo/${id}`, {
      ...{ method: 'POST', body: JSON.stringify({ reporterId: BOB, ...body }) },
      headers: { 'content-type': 'application/json', 'x-internal-token': INTERNAL_TOKEN },
    });
  expect(await (await write({})).json()).toEqual({
    authorId: ANN,
    excerpt: 'In question',
    path: '/gallery',
    version: 0,
    since: 0,
  });
  expect((await write({ reporterId: ANN })).status).toBe(409);
  expect((await call(22, 'POST', `/api/gallery/${id}/report`, { reason: 'spam' })).status).toBe(204);
  expect(media.reports.queued.at(-1)).toMatchObject({ kind: 'photo', id: String(id), reporterId: 22, authorId: ANN });

  await decided(media.bus, 'photo', id, 'hide', 1);
  await eventually(async () => !(await isSeen()));
  expect((await write({ reporterId: 23 })).status).toBe(404);
  expect((await seenBy(ANN)).find((one) => one.id === id)?.reason).toContain('reported');
  await decided(media.bus, 'photo', id, 'restore', 3);
  await eventually(isSeen);
  await decided(media.bus, 'photo', id, 'hide', 2);
  await decided(media.bus, 'photo', 999_999, 'hide', 1);
  // This decision arrives after both other decisions.
  await decided(media.bus, 'photo', id, 'keep', 4);
  const heardOf = async () =>
    (await media.pool.query('select from moderated_contents where decision = 4')).rowCount === 1;
  await eventually(heardOf);
  expect(await isSeen()).toBe(true);
  await decided(media.bus, 'photo', id, 'remove', 5);
  await eventually(async () => (await call(ANN, 'GET', `/api/gallery/${id}`)).status === 404);
});

test('a picture is deleted with the last photo that uses it', async () => {
  const bytes = await photo('png', 90, 31);
  const [one, two] = [await uploaded(ANN, { bytes }), await uploaded(10, { bytes })];
  expect(one.imageUrl).toBe(two.imageUrl);
  expect((await call(ANN, 'DELETE', `/api/gallery/${one.id}`)).status).toBe(204);
  expect((await call(ANN, 'DELETE', `/api/gallery/${one.id}`)).status).toBe(204);
  await media.sweep.now();
  expect((await media.get(two.imageUrl)).status).toBe(200);
  expect((await call(10, 'DELETE', `/api/gallery/${two.id}`)).status).toBe(204);
  await eventually(async () => (await media.get(two.imageUrl)).status === 404);
  await media.sweep.now(); // waits for the end of the deletion
  // A new upload stores all sizes again.
  expect((await media.get((await uploaded(ANN, { bytes })).imageUrl)).status).toBe(200);
});

test('after a disk failure, no partly stored photo remains, because the sweep deletes its files', async () => {
  for (const failing of [1, 2, 3]) {
    const bytes = await photo('png', 100 + failing, 50);
    const before = [await count('items'), await count('item_texts')];
    const kept = await files();
    faults.puts = failing;
    expect((await upload(ANN, { bytes })).status).toBeGreaterThanOrEqual(500);
    faults.puts = 0;
    expect([await count('items'), await count('item_texts')]).toEqual(before);
    // The sweep does not touch an upload in progress.
    await media.sweep.now();
    await media.pool.query(`update jobs set run_at = now() where queue = 'picture-file' and status = 'waiting'`);
    await media.sweep.now();
    expect(await files()).toEqual(kept);
  }
  const bytes = await photo('png', 101, 50);
  expect((await media.get((await uploaded(ANN, { bytes })).imageUrl)).status).toBe(200);
});

test('while a picture is being deleted, it cannot be stored again', async () => {
  const bytes = await photo('png', 77, 52);
  const { id, imageUrl } = await uploaded(ANN, { bytes });
  const [name] = /[0-9a-f]{64}-[0-9a-f]{6}/.exec(imageUrl)!;
  // Simulates a job that runs elsewhere.
  await media.pool.query(
    `insert into jobs (queue, key, lease, run_at) values ('picture-file', $1, gen_random_uuid(), now() + interval '1 minute')`,
    [name],
  );
  expect((await upload(ANN, { bytes })).status).toBe(503);
  await media.pool.query(`update jobs set run_at = now() where queue = 'picture-file' and key = $1`, [name]);
  expect((await uploaded(ANN, { bytes })).id).not.toBe(id);
});

test('an interrupted upload stores nothing, and its slot is free again', async () => {
  const before = [await count('items'), await count('requests'), await count(PICTURE_JOBS)];
  const headers = {
    ...(await bearer(ANN)),
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '50000',
  };
  for (let at = 0; at < 6; at++)
    await new Promise<void>((resolve) => {
      const cut = request(`${media.url}/api/gallery/upload`, { method: 'POST', headers });
      cut.on('error', () => undefined).on('close', () => resolve());
      cut.write('--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n\u00ff\u00d8', () =>
        cut.destroy(),
      );
    });
  await eventually(async () => (await upload(ANN, { title: 'After' })).status === 201);
  expect([await count('items'), await count('requests')]).toEqual([before[0]! + 1, before[1]! + 1]);
});

test('a canceled event accepts no new photos; photos already uploaded stay', async () => {
  const eventId = 47;
  await hearOf(media.bus, 'catalog.event-published', { eventId, title: 'Off', eventDate: '2026-03-07T05:00:00.000Z' });
  await eventually(async () => (await upload(ADMIN, { eventId })).status === 201);
  await hearOf(media.bus, 'catalog.event-canceled', { eventId, version: 2, ownerId: 3 });
  await eventually(async () => (await upload(ADMIN, { eventId })).status === 409);
  expect(await refusal(await upload(BIZ, { eventId }))).toMatchObject({ code: 'event-canceled' });
  expect((await seenBy(BOB, `?eventId=${eventId}&limit=9`)).length).toBeGreaterThan(0);
});

test('an account uploads up to a hundred photos an hour', async () => {
  await media.pool.query(
    `insert into requests select 11, 'photo', 'key ' || n, '', nextval('photo_ids'), null, now() from generate_series(1, 99) n`,
  );
  await uploaded(11);
  expect(await refusal(await upload(11))).toMatchObject({ status: 429, code: 'too-many-photos' });
});

test('erasing an account deletes its uploads', async () => {
  const gone = 31;
  ROLES[gone] = 'business';
  const own = await uploaded(gone, { title: 'Mine', bytes: await photo('png', 55, 44) });
  const liked = await uploaded(ANN, { title: 'Theirs' });
  await call(gone, 'POST', `/api/gallery/${liked.id}/like`);
  await call(gone, 'POST', '/api/gallery/verification', { businessName: 'Mine Inc.', about: 'Me' });
  const part = await media.get(`/internal/people/${gone}`, { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect(await part.json()).toMatchObject({
    photos: [{ id: own.id, title: 'Mine', url: own.imageUrl }],
    photoLikes: [{ photoId: liked.id }],
    business: { businessName: 'Mine Inc.' },
  });

  for (const _ of [1, 2]) await erasePerson(media, gone);
  await eventually(async () => (await media.get(own.imageUrl)).status === 404);
  expect((await call(ADMIN, 'GET', `/api/gallery/${own.id}`)).status).toBe(404);
  expect((await call(ANN, 'GET', `/api/gallery/${liked.id}`)).body).toMatchObject({ likes: 0 });
  const { rows } = await media.pool.query<{ row: string }>(
    `select to_jsonb(t)::text as row from item_texts t
     union all select to_jsonb(u)::text from uploader_requests u union all select to_jsonb(e)::text from events e`,
  );
  const left = rows.map(({ row }) => row).join('\n');
  for (const words of ['"Mine"', 'Mine Inc.']) expect(left).not.toContain(words);
});

test('the gallery is unchanged after a rebuild', async () => {
  const { tables, events } = await rebuild(media.databaseUrl);
  expect(events).toBeGreaterThan(50);
  const own = tables.filter(({ table }) => table === 'items' || table === 'uploaders');
  expect(own).toHaveLength(2);
  for (const { table, before, after, rows } of own) {
    expect(after, table).toBe(before);
    expect(rows, table).toBeGreaterThan(0);
  }
});
