import type { Readable } from 'node:stream';

/**
 * File storage: a folder on one machine, an S3 bucket for several machines. Keys are paths of lowercase words, such as
 * `images/3f/3fa9….webp`; any other key throws a `TypeError`. A put is atomic and replaces an existing object with the
 * same key. Both implementations pass the same contract tests (`test/objects-contract.ts`).
 */
export interface Objects {
  /** Stores an object. If a stream's length differs from its declared size, throws and stores nothing. */
  put(key: string, body: Uint8Array | SizedStream): Promise<void>;
  /** Returns null if the object does not exist. */
  get(key: string): Promise<Buffer | null>;
  /**
   * Returns the object, or the bytes of `range`, as a stream; null if it does not exist. The caller must read or
   * destroy the stream. Rejects with a `RangeError` if the object has no byte in the range.
   */
  read(key: string, range?: ByteRange): Promise<ReadObject | null>;
  exists(key: string): Promise<boolean>;
  /** Has no effect if the object does not exist. */
  delete(key: string): Promise<void>;
}

export interface SizedStream {
  stream: Readable;
  /** In bytes. */
  size: number;
}

/** Both ends are inclusive, as in HTTP. The end may exceed the object's size; the default end is the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface ReadObject {
  stream: Readable;
  /** Size of the whole object in bytes. */
  size: number;
}

const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** Validates a key. No segment may be empty or start with a dot, so no key can refer to a path outside the folder. */
export function checkedKey(key: string): string {
  if (key.length > 300 || !KEY.test(key)) throw new TypeError('Not an object key: ' + JSON.stringify(key.slice(0, 80)));
  return key;
}

/** Throws for an invalid range. */
export function checkedRange(range: ByteRange | undefined): ByteRange | undefined {
  if (!range) return undefined;
  const { start, end = start } = range;
  if (![start, end].every(Number.isSafeInteger) || start < 0 || end < start) throw outside();
  return range;
}

export const outside = (): RangeError => new RangeError('The object has no byte of this range');

/**
 * Yields the bytes of a body; throws if the number of bytes differs from the declared size. Withholds the last chunk
 * until the stream's end, because a receiver of all declared bytes would consider the body complete.
 */
export async function* sized({ stream, size }: SizedStream): AsyncGenerator<Uint8Array> {
  let left = size;
  let held: Uint8Array | undefined;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    left -= chunk.length;
    if (left < 0) break;
    if (held) yield held;
    held = chunk;
  }
  if (left !== 0) throw new Error(`A body of ${size} bytes has ${left < 0 ? 'more' : `${-left + size}`}`);
  if (held) yield held;
}
