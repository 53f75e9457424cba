import type { FileHandle } from 'node:fs/promises';
import type { FoundVideo, Stretch } from './found.ts';

const PIECE = Buffer.alloc(64 * 1024);

/**
 * Takes out of a file on disk what its camera wrote of place, time and owner: each such box becomes one of nothing (`free`, in WebM `Void`)
 * of the same length, so that everything else stays where it is.
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

/** A box of 50 MB at most: its length fits into the short form. */
function freeHead({ length }: Stretch): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length, 0);
  head.write('free', 4, 'latin1');
  return head;
}

/** Undefined for one without room for a length of eight bytes: it has nothing to tell. */
function voidHead({ length }: Stretch): Buffer | undefined {
  if (length < 9) return undefined;
  const head = Buffer.alloc(9);
  head[0] = 0xec;
  head.writeBigUInt64BE((1n << 56n) | BigInt(length - 9), 1);
  return head;
}
