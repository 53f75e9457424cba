import type { FileHandle } from 'node:fs/promises';
import type { FoundVideo, Stretch } from './found.ts';

const PIECE = Buffer.alloc(64 * 1024);

/**
 * Removes the place, time and owner that a camera wrote to a file on disk. Each box with such data becomes an empty box
 * of the same length (`free`, in WebM `Void`), so that all other offsets stay the same.
 */
export async function takeOutMetadata(file: FileHandle, { kind, metadata }: FoundVideo): Promise<void> {
  for (const stretch of metadata) {
    const head = kind === 'webm' ? voidHead(stretch) : freeHead(stretch);
    if (!head) continue;
    await file.write(head, 0, head.length, stretch.offset);
    for (let at = stretch.offset + head.length; at < stretch.offset + stretch.length; at += PIECE.length) {
      const length = Math.min(PIECE.length, stretch.offset + stretch.length - at);
      await file.write(PIECE, 0, length, at);
    }
  }
}

/** A box has at most 50 MB, so the short form of the length suffices. */
function freeHead({ length }: Stretch): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length, 0);
  head.write('free', 4, 'latin1');
  return head;
}

/** undefined if there is no room for a length of eight bytes. A box that small contains no data. */
function voidHead({ length }: Stretch): Buffer | undefined {
  if (length < 9) return undefined;
  const head = Buffer.alloc(9);
  head[0] = 0xec;
  head.writeBigUInt64BE((1n << 56n) | BigInt(length - 9), 1);
  return head;
}
