import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StoredImage } from '@beltway/contracts/media/images';
import { logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { serviceObjects } from '@beltway/kit/service/parts';
import { startS3, type TestS3 } from '@beltway/test-engines/s3';
import { pngOf } from '../src/image/testing.ts';
import { INTERNAL_TOKEN, startMedia, type Media } from './service.ts';

// Event pictures that nothing refers to (docs/decisions/0072), in a folder and in a bucket.

type Catalog = (names: readonly string[]) => Promise<ReadonlySet<string>>;
const namesNone: Catalog = async () => new Set<string>();
const namesAll: Catalog = async (names) => new Set(names);

describe.each(['folder', 'bucket'])('pictures of events in a %s', (kind) => {
  let media: Media;
  let s3: TestS3 | undefined;
  const closing: Array<() => unknown> = [];
  /** The catalog's response; each test sets it. */
  let catalog: Catalog;
  /** Throws to simulate a failing storage. */
  let beforeDelete: (key: string) => void = () => undefined;
  let beforePut: (key: string) => void = () => undefined;

  beforeAll(async () => {
    if (kind === 'bucket') {
      s3 = await startS3();
      const { url: S3_URL, bucket: S3_BUCKET, region: S3_REGION, accessKey, secretKey } = s3;
      const config = { S3_URL, S3_BUCKET, S3_REGION, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
      const onStop = (...parts: Array<(() => unknown) | { stop(): unknown }>) =>
        void closing.push(...parts.map((part) => (typeof part === 'function' ? part : () => part.stop())));
      const objects = await serviceObjects({ config, log: logger('media-test', 'silent'), onStop });
      media = await startMedia({ objects, named: (names) => catalog(names), wrapObjects: failing });
    } else media = await startMedia({ named: (names) => catalog(names), wrapObjects: failing });
  });
  afterAll(async () => {
    await media.stop();
    for (const close of closing) await close();
    await s3?.stop();
  });
  beforeEach(async () => {
    catalog = namesNone;
    beforeDelete = beforePut = () => undefined;
    await media.pool.query(`update jobs set run_at = now() + interval '1 day' where queue = 'event-picture'`);
  });

  const failing = (objects: Objects): Objects => ({
    ...objects,
    put: async (key, body) => (beforePut(key), objects.put(key, body)),
    delete: async (key) => (beforeDelete(key), objects.delete(key)),
  });
  const nameOf = (url: string) => /([0-9a-f]{64}-[0-9a-f]{6})-large/.exec(url)![1]!;
  async function upload(bytes: Uint8Array): Promise<{ name: string; url: string }> {
    const answer = await media.upload(bytes);
    expect(answer.status).toBe(201);
    const { url } = StoredImage.parse(await answer.json());
    return { name: nameOf(url), url };
  }
  const keep = async (url: string) =>
    (
      await media.get('/internal/images/kept', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-token': INTERNAL_TOKEN },
        body: JSON.stringify({ url }),
      })
    ).status;
  const mail = async (url: string) =>
    (await media.get(`/internal/mail-picture?path=${url}`, { headers: { 'x-internal-token': INTERNAL_TOKEN } })).status;
  async function filesOf(name: string): Promise<string[]> {
    const all = s3 ? [...s3.objects.keys()] : await readdir(media.dataDir, { recursive: true });
    return all.filter((key) => key.includes(name)).map((key) => key.slice(key.lastIndexOf('/') + 1));
  }
  /** Makes the picture's job due. */
  const age = (name: string) =>
    media.pool.query(`update jobs set run_at = now() where queue = 'event-picture' and key = $1`, [name]);
  async function look(name: string): Promise<void> {
    await age(name);
    await media.sweep.now();
  }
  const rowOf = async (name: string) =>
    (
      await media.pool.query<{ isUnnamed: boolean; days: number; error: string | null }>(
        `select data ? 'isUnnamed' as "isUnnamed", last_error as error,
           round(extract(epoch from run_at - now()) / 86400)::int as days
         from jobs where queue = 'event-picture' and key = $1`,
        [name],
      )
    ).rows[0];
  const JOBS = `select key as name from jobs where queue = 'event-picture'`;
  let width = 40;
  const picture = () => pngOf(width++, 40, 40);

  test('that nothing refers to are deleted in all sizes after two checks, with their mail pictures and digests', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    const other = await upload(picture());
    expect(await mail(url)).toBe(200);
    expect(await filesOf(name)).toHaveLength(4);
    await media.sweep.now();
    expect(await rowOf(name)).toMatchObject({ isUnnamed: false, days: 30 });

    await look(name);
    expect(await rowOf(name)).toMatchObject({ isUnnamed: true, days: 30 });
    expect(await filesOf(name)).toHaveLength(4);
    await media.sweep.now();
    expect(await filesOf(name)).toHaveLength(4);

    await look(name);
    expect(await filesOf(name)).toEqual([]);
    expect(await rowOf(name)).toBeUndefined();
    const { rows } = await media.pool.query('select from images where hash = $1', [name.slice(0, 64)]);
    expect(rows).toEqual([]);
    expect([(await media.get(url)).status, await keep(url), await mail(url)]).toEqual([404, 404, 404]);
    expect((await media.get(other.url)).status).toBe(200);

    await media.sweep.now();
    expect(await upload(bytes)).toEqual({ name, url });
    expect((await media.get(url)).status).toBe(200);
  });

  test('that are referenced stay however often they are checked, and get the full grace period when no longer referenced', async () => {
    const { name, url } = await upload(picture());
    catalog = namesAll;
    for (let time = 0; time < 3; time++) await look(name);
    catalog = namesNone;
    await look(name);
    expect(await filesOf(name)).toHaveLength(3);
    // The picture is referenced again in its grace period, for example by a restored catalog.
    catalog = namesAll;
    await look(name);
    expect(await rowOf(name)).toMatchObject({ isUnnamed: false, days: 30 });
    catalog = namesNone;
    await look(name);
    expect((await media.get(url)).status).toBe(200);
  });

  test('that are uploaded or kept during a request to the catalog count as new', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    for (const again of [() => upload(bytes), async () => expect(await keep(url)).toBe(204)]) {
      catalog = async () => (await again(), new Set());
      await look(name);
      expect(await rowOf(name)).toMatchObject({ isUnnamed: false, days: 30 });
    }
    // If a picture was found unreferenced once and was then kept, it is deleted only after two more checks.
    catalog = namesNone;
    await look(name);
    expect(await keep(url)).toBe(204);
    await look(name);
    expect(await filesOf(name)).toHaveLength(3);
  });

  test('cannot be kept after the last check has begun; uploaded again, they are complete', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    await look(name);
    const said: number[] = [];
    catalog = async () => {
      said.push(await keep(url), (await media.upload(bytes)).status);
      return new Set();
    };
    await look(name);
    expect(said).toEqual([503, 503]);
    expect(await filesOf(name)).toEqual([]);
    await upload(bytes);
    expect(await filesOf(name)).toHaveLength(3);
  });

  test('stay usable while the catalog does not respond', async () => {
    const { name, url } = await upload(picture());
    await look(name);
    catalog = () => Promise.reject(new Error('away'));
    await look(name);
    expect(await rowOf(name)).toMatchObject({ isUnnamed: true, error: 'away' });
    expect(await filesOf(name)).toHaveLength(3);
    expect(await keep(url)).toBe(204);
  });

  test('that were deleted only in part because the storage failed are not used, do not block others, and are deleted later', async () => {
    const [begun, other] = [await upload(picture()), await upload(picture())];
    for (const { name } of [begun, other]) await look(name);
    beforeDelete = (key) => {
      if (key.endsWith('-large.webp') && nameOf(key) === begun.name) throw new Error('the disk is away');
    };
    await Promise.all([age(begun.name), age(other.name)]);
    await media.sweep.now();
    expect(await rowOf(begun.name)).toMatchObject({ error: 'the disk is away' });
    expect(await filesOf(begun.name)).not.toEqual([]);
    expect(await filesOf(other.name)).toEqual([]);
    expect(await keep(begun.url)).toBe(404);

    beforeDelete = () => undefined;
    await look(begun.name);
    expect(await filesOf(begun.name)).toEqual([]);
  });

  test('whose deletion was interrupted by a crash are complete after another upload', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    await look(name);
    beforeDelete = (key) => {
      if (key.endsWith('-small.webp')) throw new Error('killed');
    };
    await look(name);
    expect(await rowOf(name)).toMatchObject({ error: 'killed' });
    beforeDelete = () => undefined;
    await upload(bytes);
    await media.sweep.now();
    expect(await filesOf(name)).toHaveLength(3);
    expect((await media.get(url)).status).toBe(200);
  });

  test('that an upload stored only in part are found by the sweep', async () => {
    const before = await media.pool.query<{ name: string }>(JOBS);
    beforePut = (key) => {
      if (key.endsWith('-medium.webp')) throw new Error('the disk is full');
    };
    expect((await media.upload(picture())).status).toBeGreaterThanOrEqual(500);
    const { rows } = await media.pool.query<{ name: string }>(JOBS);
    const left = rows.map(({ name }) => name).filter((name) => !before.rows.some((row) => row.name === name));
    expect(left).toHaveLength(1);
    expect(await filesOf(left[0]!)).not.toEqual([]);
    await look(left[0]!);
    await look(left[0]!);
    expect(await filesOf(left[0]!)).toEqual([]);
  });

  test('that do not exist, or are no pictures, cannot be kept, and leave no row', async () => {
    const { rows: before } = await media.pool.query(JOBS);
    expect(await keep(`/media/images/${'0'.repeat(64)}-large.webp`)).toBe(404);
    expect(await keep('/media/images/../../secrets.json')).toBe(404);
    expect(await keep('/media/posters/1-00000000.webp')).toBe(400);
    expect((await media.get('/internal/images/kept', { method: 'POST' })).status).toBe(403);
    const { rows } = await media.pool.query(JOBS);
    expect(rows).toHaveLength(before.length);
  });
});
