import type { Readable } from 'node:stream';

/**
 * Where files live: a folder on one machine, an S3 bucket on many. Keys are paths of lower-case words, such as
 * `images/3f/3fa9….webp`; any other is a `TypeError`. What is put is whole or absent; putting the same key again replaces it.
 * Both pass the same contract suite (`test/objects-contract.ts`).
 */
export interface Objects {
  /** A stream of another size than it says is an error, and nothing of it is kept. */
  put(key: string, body: Uint8Array | SizedStream): Promise<void>;
  /** null when there is no such object. */
  get(key: string): Promise<Buffer | null>;
  /**
   * The object, or the bytes of `range`, as they come; null when there is no such object. The stream is read or destroyed by whoever
   * asked. Rejects with a `RangeError` when the object has no byte of the range.
   */
  read(key: string, range?: ByteRange): Promise<ReadObject | null>;
  exists(key: string): Promise<boolean>;
  /** Does nothing where there is no such object. */
  delete(key: string): Promise<void>;
}

export interface SizedStream {
  stream: Readable;
  /** In bytes. */
  size: number;
}

/** Both ends are part of it, as in HTTP; the end may lie behind that of the object, and is that of the object when it is not given. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface ReadObject {
  stream: Readable;
  /** Of the whole object, in bytes. */
  size: number;
}

const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** No segment starts with a dot and none is empty, so no key can name a place outside the folder. */
export function checkedKey(key: string): string {
  if (key.length > 300 || !KEY.test(key)) throw new TypeError('Not an object key: ' + JSON.stringify(key.slice(0, 80)));
  return key;
}

/** Throws for a range that no object can have. */
export function checkedRange(range: ByteRange | undefined): ByteRange | undefined {
  if (!range) return undefined;
  const { start, end = start } = range;
  if (![start, end].every(Number.isSafeInteger) || start < 0 || end < start) throw outside();
  return range;
}

export const outside = (): RangeError => new RangeError('The object has no byte of this range');

/**
 * The bytes of a body, which fail when they are more or fewer than its size says. The last of them come when it is known that there are no
 * more: whoever has all bytes takes the body for whole.
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
