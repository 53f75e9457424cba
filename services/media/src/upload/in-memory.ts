import type { Readable } from 'node:stream';
import { GrowingBuffer } from '@beltway/kit/read-body';
import type { FileField } from './form.ts';

/** A file small enough to hold in memory. */
export const inMemory = (maxBytes: number, tooLarge: () => Error): FileField<Buffer> => ({
  maxBytes,
  tooLarge,
  async keep(stream: Readable) {
    const bytes = new GrowingBuffer(maxBytes);
    for await (const piece of stream as AsyncIterable<Buffer>) bytes.append(piece);
    return bytes.bytes();
  },
});
