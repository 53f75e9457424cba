import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StoredImage } from '@beltway/contracts/media/images';
import { logger } from '@beltway/kit/logger';
import type { Objects } from '@beltway/kit/objects';
import { serviceObjects } from '@beltway/kit/service/parts';
import { startS3, type TestS3 } from '@beltway/test-engines/s3';
import { pngOf } from '../src/image/testing.ts';
import { INTERNAL_TOKEN, startMedia, type Media } from './service.ts';

// Pictures of events that nobody names (docs/decisions/0084), in a folder and in a bucket.

type Catalog = (names: readonly string[]) => Promise<ReadonlySet<string>>;
const namesNone: Catalog = async () => new Set<string>();
const namesAll: Catalog = async (names) => new Set(names);

describe.each(['folder', 'bucket'])('pictures of events in a %s', (kind) => {
  let media: Media;
  let s3: TestS3 | undefined;
  const closing: Array<() => unknown> = [];
  /** What the catalog says; each test sets it. */
  let catalog: Catalog;
  /** Throws where the storage is to fail. */
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
    await media.pool.query(`update image_files set kept_until = now() + interval '1 day', deleting_until = null`);
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
  /** The time of its row is over. */
  const age = (name: string) =>
    media.pool.query(`update image_files set kept_until = now() - interval '1 second' where name = $1`, [name]);
  async function look(name: string): Promise<void> {
    await age(name);
    await media.sweep.now();
  }
  const rowOf = async (name: string) =>
    (
      await media.pool.query<{ isUnnamed: boolean; days: number; isClaimed: boolean }>(
        `select unnamed_since is not null as "isUnnamed", deleting_until > now() is true as "isClaimed",
           round(extract(epoch from kept_until - now()) / 86400)::int as days
         from image_files where name = $1`,
        [name],
      )
    ).rows[0];
  let width = 40;
  const picture = () => pngOf(width++, 40, 40);

  test('that nobody named go in all sizes after two looks, with what mails were sent and what is known of their bytes', async () => {
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

  test('that somebody names stay however often they are looked at, and have all of their grace when nobody does any more', async () => {
    const { name, url } = await upload(picture());
    catalog = namesAll;
    for (let time = 0; time < 3; time++) await look(name);
    catalog = namesNone;
    await look(name);
    expect(await filesOf(name)).toHaveLength(3);
    // Named again in its grace, as by a catalog that was restored.
    catalog = namesAll;
    await look(name);
    expect(await rowOf(name)).toMatchObject({ isUnnamed: false, isClaimed: false, days: 30 });
    catalog = namesNone;
    await look(name);
    expect((await media.get(url)).status).toBe(200);
  });

  test('that are uploaded, or about to be named, while the catalog is asked are new', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    for (const again of [() => upload(bytes), async () => expect(await keep(url)).toBe(204)]) {
      catalog = async () => (await again(), new Set());
      await look(name);
      expect(await rowOf(name)).toMatchObject({ isUnnamed: false, days: 30 });
    }
    // Found unnamed once, then kept: two more looks.
    catalog = namesNone;
    await look(name);
    expect(await keep(url)).toBe(204);
    await look(name);
    expect(await filesOf(name)).toHaveLength(3);
  });

  test('are nobody’s to name from the moment that the last question is asked, and come whole when they are sent again', async () => {
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

  test('stay while the catalog does not answer, and can be used meanwhile', async () => {
    const { name, url } = await upload(picture());
    await look(name);
    catalog = () => Promise.reject(new Error('away'));
    await age(name);
    await expect(media.sweep.now()).rejects.toThrow('away');
    expect(await rowOf(name)).toMatchObject({ isUnnamed: true, isClaimed: false });
    expect(await filesOf(name)).toHaveLength(3);
    expect(await keep(url)).toBe(204);
  });

  test('of which a part was deleted when the storage failed are not used, and the next sweep ends it', async () => {
    const [bytes, others] = [picture(), picture()];
    const [{ name, url }, other] = [await upload(bytes), await upload(others)];
    for (const each of [name, other.name]) await look(each);
    const broken = new Set<string>();
    beforeDelete = (key) => {
      if (!key.endsWith('-large.webp')) return;
      broken.add(nameOf(key));
      throw new Error('the disk is away');
    };
    await Promise.all([age(name), age(other.name)]);
    await expect(media.sweep.now()).rejects.toThrow('the disk is away');
    // Only the one that was begun is claimed still.
    expect(broken.size).toBe(1);
    const [begun, untouched] = broken.has(name)
      ? [{ name, url, bytes }, other]
      : [
          { ...other, bytes: others },
          { name, url },
        ];
    expect(await rowOf(begun.name)).toMatchObject({ isClaimed: true });
    expect(await rowOf(untouched.name)).toMatchObject({ isClaimed: false, isUnnamed: true });
    expect([await keep(begun.url), (await media.upload(begun.bytes)).status]).toEqual([404, 503]);

    beforeDelete = () => undefined;
    await media.sweep.now();
    expect(await filesOf(untouched.name)).toEqual([]);
    expect(await filesOf(begun.name)).not.toEqual([]);
    await media.pool.query(`update image_files set deleting_until = now() where name = $1`, [begun.name]);
    expect(await keep(begun.url)).toBe(404);
    await media.sweep.now();
    expect(await filesOf(begun.name)).toEqual([]);
  });

  test('of which the process died while it deleted come whole when they are sent again before the next sweep', async () => {
    const bytes = picture();
    const { name, url } = await upload(bytes);
    await look(name);
    beforeDelete = (key) => {
      if (key.endsWith('-small.webp')) throw new Error('killed');
    };
    await age(name);
    await expect(media.sweep.now()).rejects.toThrow('killed');
    beforeDelete = () => undefined;
    await media.pool.query('update image_files set deleting_until = now() where name = $1', [name]);
    await upload(bytes);
    await media.sweep.now();
    expect(await filesOf(name)).toHaveLength(3);
    expect((await media.get(url)).status).toBe(200);
  });

  test('of which an upload could store only a part are found', async () => {
    const before = await media.pool.query<{ name: string }>('select name from image_files');
    beforePut = (key) => {
      if (key.endsWith('-medium.webp')) throw new Error('the disk is full');
    };
    expect((await media.upload(picture())).status).toBeGreaterThanOrEqual(500);
    const { rows } = await media.pool.query<{ name: string }>('select name from image_files');
    const left = rows.map(({ name }) => name).filter((name) => !before.rows.some((row) => row.name === name));
    expect(left).toHaveLength(1);
    expect(await filesOf(left[0]!)).not.toEqual([]);
    await look(left[0]!);
    await look(left[0]!);
    expect(await filesOf(left[0]!)).toEqual([]);
  });

  test('are swept once by several instances at a time', async () => {
    const uploaded = [];
    for (let each = 0; each < 4; each++) uploaded.push(await upload(picture()));
    for (const { name } of uploaded) await look(name);
    for (const { name } of uploaded) await age(name);
    const deleted: string[] = [];
    beforeDelete = (key) => void deleted.push(key);
    await Promise.all([media.sweep.now(), media.sweep.now(), media.sweep.now()]);
    expect(deleted).toHaveLength(4 * 5);
    expect(new Set(deleted).size).toBe(deleted.length);
    for (const { name } of uploaded) expect(await filesOf(name)).toEqual([]);
  });

  test('that are not there, or are no pictures, cannot be kept, and leave no row', async () => {
    const { rows: before } = await media.pool.query('select from image_files');
    expect(await keep(`/media/images/${'0'.repeat(64)}-large.webp`)).toBe(404);
    expect(await keep('/media/images/../../secrets.json')).toBe(404);
    expect(await keep('/media/posters/1-00000000.webp')).toBe(400);
    expect((await media.get('/internal/images/kept', { method: 'POST' })).status).toBe(403);
    const { rows } = await media.pool.query('select from image_files');
    expect(rows).toHaveLength(before.length);
  });
});
