import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredImage } from '@beltway/contracts/media/images';
import { highestAccountOf } from '@beltway/kit/personal-data';
import { erasePerson } from '../src/person.ts';
import { PERSONAL } from '../src/personal-data.ts';
import { INTERNAL_TOKEN, startMedia, type Media } from './service.ts';
import { photo } from '../src/image/testing.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

test('the export lists an account’s uploaded pictures, and the erasure deletes them in all sizes', async () => {
  const [mine, theirs] = await Promise.all([photo('png', 320, 200), photo('png', 222, 111)]);
  const own = (await (await media.upload(mine, { userId: 61 })).json()) as StoredImage;
  const other = (await (await media.upload(theirs, { userId: 62 })).json()) as StoredImage;
  const dataUrl = `data:image/png;base64,${(await photo('png', 100, 100)).toString('base64')}`;
  const ofEvent = (await (await media.postInternal({ dataUrl, uploadedBy: 61 })).json()) as StoredImage;
  const part = await media.get('/internal/people/61', { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect(await part.json()).toMatchObject({ pictures: [{ url: ofEvent.url }, { url: own.url }], isComplete: true });
  expect((await media.get('/internal/people/61')).status).toBe(403);

  const { rows } = await media.pool.query(`select (${highestAccountOf(PERSONAL)}) as highest`);
  expect(rows).toEqual([{ highest: 62 }]);
  await erasePerson(media, 61);
  await erasePerson(media, 61);
  await media.sweep.now();
  for (const url of [own.url, own.thumbnailUrl, ofEvent.url]) expect((await media.get(url)).status).toBe(404);
  for (const url of [other.url, other.thumbnailUrl]) expect((await media.get(url)).status).toBe(200);
  expect((await media.pool.query('select uploaded_by from images')).rows).toEqual([{ uploaded_by: 62 }]);
});

test('a picture that another account also uploaded stays until its last uploader is erased', async () => {
  const picture = await photo('png', 310, 210);
  const advert = await photo('png', 305, 205);
  const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const send = async (bytes: Buffer, userId: number) =>
    (await (await media.upload(bytes, { userId })).json()) as StoredImage;
  const { url } = await send(picture, 71);
  await Promise.all([
    send(picture, 72),
    send(picture, 71),
    media.postInternal({ dataUrl: dataUrl(picture), uploadedBy: 73 }),
  ]);
  const { url: ofAd } = await send(advert, 71);
  expect((await media.postInternal({ dataUrl: dataUrl(advert) })).status).toBe(201);

  const part = await media.get('/internal/people/72', { headers: { 'x-internal-token': INTERNAL_TOKEN } });
  expect(await part.json()).toMatchObject({ pictures: [{ url }] });
  for (const leaving of [72, 71]) {
    await erasePerson(media, leaving);
    await erasePerson(media, leaving);
    await media.sweep.now();
    for (const kept of [url, ofAd]) expect((await media.get(kept)).status).toBe(200);
  }
  await erasePerson(media, 73);
  await media.sweep.now();
  expect((await media.get(url)).status).toBe(404);
  expect((await media.get(ofAd)).status).toBe(200);
  const { rows } = await media.pool.query('select from images natural join further_uploads');
  expect(rows).toEqual([]);
});
