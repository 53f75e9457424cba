import { expect, test, vi } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { mailPictures } from './pictures.ts';

const log = logger('test', 'silent');
const URL_ = '/media/posters/42-0123456789abcd.webp';
const jpeg = Buffer.from('a picture').toString('base64');

test('a picture is fetched once for all mails, even for concurrent mails', async () => {
  const get = vi.fn(async () => ({ jpeg }));
  const pictures = mailPictures({ get }, log);
  const all = await Promise.all([pictures.of(URL_), pictures.of(URL_), pictures.of(URL_)]);
  await pictures.of(URL_);
  expect(all.map(String)).toEqual(['a picture', 'a picture', 'a picture']);
  expect(get.mock.calls).toEqual([[`/internal/mail-picture?path=${encodeURIComponent(URL_)}`]]);
});

test('only our own media service is called; if none is configured, no call is made', async () => {
  const get = vi.fn(async () => ({ jpeg }));
  const pictures = mailPictures({ get }, log);
  for (const url of [null, 'https://evil.test/x.jpg', 'http://169.254.169.254/latest', '//evil.test/media/x.webp'])
    expect(await pictures.of(url)).toBeNull();
  expect(get).not.toHaveBeenCalled();
  expect(await mailPictures(null, log).of(URL_)).toBeNull();
});

test('a media service that is down delays only one mail, and is called again after a minute', async () => {
  let time = 0;
  const get = vi.fn(async (): Promise<unknown> => {
    throw new Error('fetch failed');
  });
  const pictures = mailPictures({ get }, log, () => time);
  expect([await pictures.of(URL_), await pictures.of(URL_)]).toEqual([null, null]);
  expect(get).toHaveBeenCalledTimes(1);
  time = 60_001;
  get.mockImplementation(async () => ({ jpeg }));
  expect(String(await pictures.of(URL_))).toBe('a picture');
});

test('the cache is bounded', async () => {
  const get = vi.fn(async () => ({ jpeg }));
  const pictures = mailPictures({ get }, log);
  for (let id = 0; id <= 64; id++) await pictures.of(`/media/posters/${id}-0123456789abcd.webp`);
  await pictures.of('/media/posters/64-0123456789abcd.webp');
  expect(get).toHaveBeenCalledTimes(65);
  await pictures.of('/media/posters/0-0123456789abcd.webp');
  expect(get).toHaveBeenCalledTimes(66);
});
