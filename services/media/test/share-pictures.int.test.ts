import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoredImage } from '@beltway/contracts/media/images';
import { SHARE_PICTURE, shareUrl, SITE_SHARE_URL } from '@beltway/contracts/media/share-picture';
import { anEventState } from '@beltway/contracts/testing/events';
import { eventually } from '@beltway/kit/testing';
import { loadSharp } from '../src/workers/sharp.ts';
import { startMedia, type Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

async function shown(path: string): Promise<Buffer> {
  const answer = await media.get(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, SHARE_PICTURE.type]);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const jpeg = Buffer.from(await answer.arrayBuffer());
  const { width, height } = SHARE_PICTURE;
  expect(await (await loadSharp())(jpeg).metadata()).toMatchObject({ format: 'jpeg', width, height });
  expect(jpeg.length).toBeLessThan(300_000);
  return jpeg;
}

async function uploaded(width: number, height: number): Promise<StoredImage> {
  const sharp = await loadSharp();
  const red = await sharp({ create: { width, height, channels: 3, background: '#c2185b' } })
    .png()
    .toBuffer();
  return StoredImage.parse(await (await media.upload(red, { type: 'image/png' })).json());
}

test.each([
  ['a landscape', 1_800, 1_000],
  ['a portrait', 900, 1_200],
])('an uploaded picture, %s, becomes a JPEG of 1200×630, made only once', async (_what, width, height) => {
  const { url } = await uploaded(width, height);
  const path = shareUrl({ ...anEventState(), imageUrl: url });
  const made = media.made.shared;
  const all = await Promise.all([shown(path), shown(path), shown(path)]);
  for (const jpeg of all) expect(jpeg.equals(all[0]!)).toBe(true);
  expect(media.made.shared - made).toBe(1);
  const again = await media.get(path, { headers: { 'if-none-match': (await media.get(path)).headers.get('etag')! } });
  expect(again.status).toBe(304);
});

test('a poster becomes a JPEG of 1200×630; an earlier version redirects to the latest', async () => {
  const data = anEventState();
  const id = randomUUID();
  await media.bus.publish('catalog.events', [
    {
      ...{ id, key: 'event-7', occurredAt: new Date().toISOString(), correlationId: id, causationId: id },
      ...{ type: 'catalog.event-published', version: 1, data },
    },
  ]);
  const path = shareUrl({ ...data, imageUrl: null });
  await eventually(async () => (await media.get(path)).status === 200);
  await shown(path);
  const before = await media.get(path.replace(/-[0-9a-f]+-share/, '-0123456789abcd-share'), { redirect: 'manual' });
  expect([before.status, before.headers.get('location')]).toEqual([302, path]);
});

test('the site itself has a link preview; invented names have none', async () => {
  await shown(SITE_SHARE_URL);
  for (const path of [
    `/media/images/${'0'.repeat(64)}-share.jpg`,
    '/media/images/x-share.jpg',
    '/media/posters/site-2-share.jpg',
    '/media/posters/99999999999-0123456789abcd-share.jpg',
    '/media/posters/4242-0123456789abcd-share.jpg',
  ])
    expect([path, (await media.get(path)).status]).toEqual([path, 404]);
});
