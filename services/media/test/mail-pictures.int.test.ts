import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MailPicture, posterUrl, StoredImage } from '@beltway/contracts/media/images';
import { anEventState } from '@beltway/contracts/testing/events';
import { eventually } from '@beltway/kit/testing';
import { loadSharp } from '../src/workers/sharp.ts';
import { INTERNAL_TOKEN, startMedia, type Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

const ask = (path: string, token = INTERNAL_TOKEN) =>
  media.get(`/internal/mail-picture?${new URLSearchParams({ path }).toString()}`, {
    headers: { 'x-internal-token': token },
  });
const jpegOf = async (answer: Response) => Buffer.from(MailPicture.parse(await answer.json()).jpeg, 'base64');

async function uploaded(): Promise<StoredImage> {
  const sharp = await loadSharp();
  const red = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#c2185b' } })
    .png()
    .toBuffer();
  return StoredImage.parse(await (await media.upload(red, { type: 'image/png' })).json());
}

test('an uploaded picture, in any size, becomes one small JPEG with the aspect ratio of posters, made only once', async () => {
  const { url, thumbnailUrl } = await uploaded();
  const first = await jpegOf(await ask(url));
  const sharp = await loadSharp();
  expect(await sharp(first).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 400 });
  expect(first.length).toBeLessThan(60_000);
  const made = media.made.mails;
  const all = await Promise.all([ask(url), ask(thumbnailUrl), ask(url.replace('-large', '-medium'))]);
  for (const answer of all) expect((await jpegOf(answer)).equals(first)).toBe(true);
  expect(media.made.mails).toBe(made);
});

test('the JPEG of a poster is made once for many concurrent requests', async () => {
  const data = anEventState();
  const id = randomUUID();
  await media.bus.publish('catalog.events', [
    {
      ...{ id, key: 'event-7', occurredAt: new Date().toISOString(), correlationId: id, causationId: id },
      ...{ type: 'catalog.event-published', version: 1, data },
    },
  ]);
  const path = posterUrl(data);
  await eventually(async () => (await media.get(path)).status === 200);
  const before = media.made.mails;
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(path)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(media.made.mails - before).toBe(1);
  // The poster without text, for a postponed event, is a different picture with another name.
  const plain = await ask(posterUrl(data, 'large', 'plain'));
  expect(plain.status).toBe(200);
  expect((await jpegOf(plain)).equals(await jpegOf(answers[0]!))).toBe(false);
});

test.each([
  'https://evil.test/x.webp',
  '/media/images/../../secrets.webp',
  '/media/posters/99999999999-0123456789abcd.webp',
  '/media/posters/4294967296-0123456789abcd.webp',
  `/media/images/${'0'.repeat(64)}-large.webp`,
])('%s is not one of our pictures', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

test('only our own services may request mail pictures', async () => {
  const { url } = await uploaded();
  expect((await ask(url, 'x'.repeat(32))).status).toBe(403);
});
