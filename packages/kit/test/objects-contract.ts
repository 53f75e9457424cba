import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ByteRange, Objects } from '../src/objects/objects.ts';

/** Tests the guarantees of both object stores (`Objects`). `open` returns a store for all tests of a file. */
export function objectsContract(open: () => Objects): void {
  let count = 0;
  const freshKey = () => `contract/${process.pid}-${Date.now()}/${++count}.webp`;
  const text = Buffer.from('0123456789');
  const bytesOf = async (key: string, range?: ByteRange) => {
    const found = await open().read(key, range);
    return found && { size: found.size, text: (await buffer(found.stream)).toString() };
  };

  test('returns what was put, byte for byte, even an empty object', async () => {
    const key = freshKey();
    for (const body of [Buffer.from([0, 255, 10, 13]), Buffer.alloc(300_000, 7), new Uint8Array(0)]) {
      await open().put(key, body);
      expect((await open().get(key))?.equals(body)).toBe(true);
      expect(await open().exists(key)).toBe(true);
    }
    expect(await bytesOf(key)).toEqual({ size: 0, text: '' });
  });

  test('returns null for an object that does not exist', async () => {
    const key = freshKey();
    expect(await open().get(key)).toBeNull();
    expect(await open().read(key)).toBeNull();
    expect(await open().read(key, { start: 3 })).toBeNull();
    expect(await open().exists(key)).toBe(false);
  });

  test('a deleted object is gone; deleting a missing object, or deleting concurrently, is no error', async () => {
    const key = freshKey();
    await open().delete(key);
    await open().put(key, text);
    await Promise.all([open().delete(key), open().delete(key)]);
    expect(await open().get(key)).toBeNull();
    expect(await open().exists(key)).toBe(false);
    await open().put(key, Buffer.from('again'));
    expect(String(await open().get(key))).toBe('again');
  });

  test('reads ranges, both ends included, cut at the end of the object', async () => {
    const key = freshKey();
    await open().put(key, text);
    expect(await bytesOf(key)).toEqual({ size: 10, text: '0123456789' });
    expect(await bytesOf(key, { start: 0, end: 0 })).toEqual({ size: 10, text: '0' });
    expect(await bytesOf(key, { start: 2, end: 5 })).toEqual({ size: 10, text: '2345' });
    expect(await bytesOf(key, { start: 7 })).toEqual({ size: 10, text: '789' });
    expect(await bytesOf(key, { start: 9, end: 1_000 })).toEqual({ size: 10, text: '9' });
    for (const range of [{ start: 10 }, { start: 10, end: 12 }, { start: 5, end: 4 }, { start: -1 }, { start: 0.5 }])
      await expect(open().read(key, range), JSON.stringify(range)).rejects.toThrow(RangeError);
  });

  test('accepts a stream, and returns a stream that may be abandoned halfway', async () => {
    const key = freshKey();
    const chunks = Array.from({ length: 40 }, (_, at) => Buffer.alloc(50_000, at));
    await open().put(key, { stream: Readable.from(chunks), size: 2_000_000 });
    const found = await open().read(key);
    expect(found?.size).toBe(2_000_000);
    expect((await buffer(found!.stream)).equals(Buffer.concat(chunks))).toBe(true);

    const given = await open().read(key);
    for await (const chunk of given!.stream as AsyncIterable<Buffer>) if (chunk.length > 0) break;
    expect((await open().get(key))?.length).toBe(2_000_000);
  });

  test('a stream that fails or has the wrong length stores nothing, and the old object stays', async () => {
    const key = freshKey();
    const failing = async function* () {
      yield Buffer.from('half');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('the source failed');
    };
    const goingOn = async function* () {
      yield text;
      // Waits longer than a server that has all ten bytes would take to respond.
      await new Promise((resolve) => setTimeout(resolve, 100));
      yield Buffer.from('more');
    };
    const bodies: Array<[() => AsyncIterable<Buffer> | Buffer[], RegExp]> = [
      [failing, /the source failed/],
      [() => [Buffer.from('half')], /10 bytes has 4/],
      [() => [text, text], /10 bytes has more/],
      [goingOn, /10 bytes has more/],
    ];
    for (const [source, why] of bodies)
      await expect(open().put(key, { stream: Readable.from(source()), size: 10 })).rejects.toThrow(why);
    expect(await open().get(key)).toBeNull();
    await open().put(key, text);
    for (const [source, why] of bodies)
      await expect(open().put(key, { stream: Readable.from(source()), size: 10 })).rejects.toThrow(why);
    expect(await open().get(key)).toEqual(text);
  });

  test('replaces an object atomically: concurrent readers get one of the bodies, never a mix', async () => {
    const key = freshKey();
    const bodies = Array.from({ length: 12 }, (_, at) => Buffer.alloc(200_000, at));
    await open().put(key, bodies[0]!);
    const reads: Array<Promise<Buffer | null>> = [];
    await Promise.all(
      bodies.map(async (body) => {
        reads.push(open().get(key));
        await open().put(key, body);
      }),
    );
    for (const read of [...(await Promise.all(reads)), await open().get(key)])
      expect(read?.length === 200_000 && read.every((byte) => byte === read[0])).toBe(true);
  });

  test.for([
    ...[
      '',
      '/',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      '/etc/passwd',
      'a//b',
      'a/',
      '.incoming/x',
      'a\\b',
      'a\0b',
      'A',
      'a b',
    ],
    ...['a?b', 'a%2e', 'a#b', 'a'.repeat(301)],
  ])('refuses the key %j', async (key) => {
    for (const work of [
      () => open().put(key, text),
      () => open().get(key),
      () => open().read(key),
      () => open().exists(key),
      () => open().delete(key),
    ])
      await expect((async () => work())()).rejects.toThrow(TypeError);
  });
}
