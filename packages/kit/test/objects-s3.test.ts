import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startS3, type TestS3 } from '@beltway/test-engines/s3';
import { s3Objects, type S3Objects, type S3Options } from '../src/objects/s3.ts';
import { isTransient } from '../src/postgres/transient.ts';
import { objectsContract } from './objects-contract.ts';

/**
 * The bucket that TEST_S3 describes as JSON (`S3Options`), such as a bucket of versitygw. Without TEST_S3, the test
 * server's bucket.
 */
const given = process.env['TEST_S3'];
let server: TestS3;
let options: S3Options;
let objects: S3Objects;
beforeAll(async () => {
  server = await startS3();
  options = given ? (JSON.parse(given) as S3Options) : server;
  objects = s3Objects(options);
});
afterAll(async () => {
  objects.close();
  await server.stop();
});

describe('objects in a bucket', () => {
  objectsContract(() => objects);

  test.for<[string, Partial<S3Options>, string[]]>([
    ['another key', { accessKey: 'nobody' }, ['InvalidAccessKeyId', 'XAdminUserNotFound']],
    ['another secret', { secretKey: 'x'.repeat(32) }, ['SignatureDoesNotMatch']],
    ['another bucket', { bucket: 'no-such-bucket' }, ['NoSuchBucket']],
    ['another region', { region: 'eu-west-9' }, ['AuthorizationHeaderMalformed']],
  ])('with %s nothing is read or written, and the error has the code of S3', async ([, wrong, codes]) => {
    const stranger = s3Objects({ ...options, ...wrong });
    await objects.put('mine/kept', Buffer.from('mine'));
    const said = async (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
    expect(codes).toContain(await said(stranger.check()));
    expect(codes).toContain(await said(stranger.get('mine/kept')));
    expect(codes).toContain(await said(stranger.put('mine/kept', Buffer.from('theirs'))));
    expect(codes).toContain(await said(stranger.delete('mine/kept')));
    expect(String(await objects.get('mine/kept'))).toBe('mine');
    stranger.close();
  });

  test('the right settings pass the check', () => objects.check());
});

// Only the test server can produce these faults.
describe('a server with faults', () => {
  let objects: S3Objects;
  beforeAll(() => {
    objects = s3Objects(server);
  });
  afterAll(() => objects.close());
  afterEach(() => void server.faults.splice(0));

  test('that is briefly unavailable, or cuts off an answer, is retried', async () => {
    server.faults.push('unavailable', 'cut');
    await objects.put('faults/one', Buffer.alloc(5_000, 1));
    server.faults.push('cut-body', 'cut-body');
    expect((await objects.get('faults/one'))?.length).toBe(5_000);
    server.faults.push('cut', 'unavailable');
    expect(await objects.exists('faults/one')).toBe(true);
    server.faults.push('unavailable', 'cut');
    await objects.delete('faults/one');
    expect(server.objects.has('faults/one')).toBe(false);
  });

  test('that does not recover is a transient error after three attempts', async () => {
    for (const fault of ['unavailable', 'cut', 'cut-body'] as const) {
      await objects.put('faults/two', Buffer.alloc(5_000));
      server.faults.push(fault, fault, fault);
      const error = await objects.get('faults/two').then(
        () => 'answered',
        (why: unknown) => why,
      );
      expect(isTransient(error), fault).toBe(true);
      expect(server.faults).toEqual([]);
    }
  });

  test('that does not answer causes one bounded wait, without retries', async () => {
    const hasty = s3Objects({ ...server, answerMs: 200 });
    server.faults.push('silent', 'silent');
    server.asked.splice(0);
    const error = await hasty.get('faults/one').then(
      () => 'answered',
      (why: unknown) => why,
    );
    expect(isTransient(error)).toBe(true);
    expect(server.asked).toEqual(['GET']);
    hasty.close();
  });

  test('that does not answer keeps a bounded number of requests waiting, and refuses all others', async () => {
    const many = s3Objects({ ...server, answerMs: 3_000 });
    server.faults.push(...Array.from({ length: 32 }, () => 'silent' as const));
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, () =>
        many.exists('faults/one').then(
          () => 'answered',
          (why: Error) => why.name,
        ),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome === 'Overloaded');
    expect(refused.length).toBe(500);
    server.faults.splice(0);
    await many.put('faults/one', Buffer.alloc(5_000, 1));
    expect(await many.exists('faults/one')).toBe(true);
    many.close();
  });

  test('a stream is sent only once, because part of the stream is already consumed', async () => {
    server.faults.push('unavailable');
    server.asked.splice(0);
    const put = objects.put('faults/three', { stream: Readable.from([Buffer.from('12')]), size: 2 });
    await expect(put).rejects.toMatchObject({ code: 'SlowDown', transient: true });
    expect(server.asked).toEqual(['PUT']);
  });

  test('a stream that is cut off fails instead of ending early', async () => {
    await objects.put('faults/four', Buffer.alloc(5_000));
    server.faults.push('cut-body');
    const found = await objects.read('faults/four');
    await expect(found!.stream.toArray()).rejects.toThrow();
  });
});
