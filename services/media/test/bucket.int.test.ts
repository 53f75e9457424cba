import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '@beltway/contracts/common/basics';
import { StoredImage } from '@beltway/contracts/media/images';
import { storedSizes } from '@beltway/contracts/media/pictures';
import { logger } from '@beltway/kit/logger';
import { serviceObjects } from '@beltway/kit/service/parts';
import { startS3, type TestS3 } from '@beltway/test-engines/s3';
import { TopPick } from '@beltway/contracts/media/top-picks';
import { eventually } from '@beltway/kit/testing';
import { photo } from '../src/image/testing.ts';
import { mp4 } from '../src/video/testing.ts';
import { startMedia, type Media } from './service.ts';

// The media service with its files in a bucket, configured by environment variables.

let s3: TestS3;
let media: Media;
const closing: Array<() => unknown> = [];
beforeAll(async () => {
  s3 = await startS3();
  const objects = await serviceObjects({
    config: {
      S3_URL: s3.url,
      S3_BUCKET: s3.bucket,
      S3_REGION: s3.region,
      S3_ACCESS_KEY: s3.accessKey,
      S3_SECRET_KEY: s3.secretKey,
    },
    log: logger('media-test', 'silent'),
    onStop: (...parts) => void closing.push(...parts.map((part) => (typeof part === 'function' ? part : part.stop))),
  });
  media = await startMedia({ objects });
});
afterAll(async () => {
  await media.stop();
  for (const close of closing) await close();
  await s3.stop();
});

test('a picture is stored in the bucket and served from there', async () => {
  const { url } = StoredImage.parse(await (await media.upload(await photo())).json());
  expect([...s3.objects.keys()].filter((key) => /^images\/..\/.*\.webp$/.test(key))).toHaveLength(3);
  for (const size of storedSizes(url)!) {
    const answer = await media.get(size.url);
    expect(answer.status).toBe(200);
    const body = Buffer.from(await answer.arrayBuffer());
    expect([...s3.objects.values()].some((kept) => kept.equals(body))).toBe(true);
  }
  expect((await media.get(url.replace(/[0-9a-f]{64}/, '0'.repeat(64)))).status).toBe(404);
});

test('while the bucket is down, requests for pictures get 503 and not 404, and an upload writes no row', async () => {
  const { url } = StoredImage.parse(await (await media.upload(await photo())).json());
  const before = s3.objects.size;
  const away = () => s3.faults.push(...Array.from({ length: 30 }, () => 'unavailable' as const));
  away();
  const answer = await media.get(url);
  expect(answer.status).toBe(503);
  expect(Problem.parse(await answer.json()).status).toBe(503);
  const { rows } = await media.pool.query<{ count: string }>('select count(*) from images');
  const other = await photo('png', 120, 90);
  expect((await media.upload(other)).status).toBe(503);
  expect((await media.pool.query<{ count: string }>('select count(*) from images')).rows).toEqual(rows);

  s3.faults.splice(0);
  expect((await media.get(url)).status).toBe(200);
  expect((await media.upload(other)).status).toBe(201);
  expect(s3.objects.size).toBe(before + 3);
});

test('a video is streamed to the bucket, read from there in ranges, and deleted there', async () => {
  const bytes = mp4({ bytes: 300_000 });
  const authorization = `Bearer ${await media.tokenFor({ id: 7 })}`;
  const form = new FormData();
  form.set('title', 'Lights');
  form.set('video', new Blob([new Uint8Array(bytes)]), 'a.mp4');
  const answer = await media.get('/api/top-picks/upload', { method: 'POST', headers: { authorization }, body: form });
  expect(answer.status).toBe(201);
  const { id, videoUrl } = TopPick.parse(await answer.json());
  const kept = () => [...s3.objects.keys()].filter((key) => key.startsWith('videos/'));
  expect(kept()).toEqual([expect.stringMatching(/^videos\/..\/[0-9a-f]{64}\.mp4$/)]);
  const part = await media.get(videoUrl, { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000, 2_000))).toBe(true);
  expect(Buffer.from(await (await media.get(videoUrl)).arrayBuffer()).equals(bytes)).toBe(true);
  await media.get(`/api/top-picks/${id}`, { method: 'DELETE', headers: { authorization } });
  await eventually(() => kept().length === 0, { what: 'the object to go' });
});
