import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpProblem, unsupportedEncoding } from '../problems.ts';

const FIRST_BYTES = 4 * 1024;

/**
 * Copies arriving chunks into one growing buffer. With a list of chunks, a sender of single bytes would use 100 bytes
 * of memory for each byte.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #buffer: Buffer;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, maxBytes));
  }

  get length(): number {
    return this.#length;
  }

  /** Returns false, without storing the piece, if it would exceed the limit. */
  append(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) return false;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(length, this.#buffer.length * 2)));
      this.bytes().copy(larger);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.#length);
    this.#length = length;
    return true;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

export const tooLarge = () => new HttpProblem(413, 'too-large');

/**
 * Passes each chunk of a body to `take`. A rejected body (`take` throws, or the body is compressed) is still read to
 * its end and discarded, because a browser that is cut off while sending shows its own error instead of ours.
 */
export async function readPieces(req: IncomingMessage, take: (piece: Buffer) => void): Promise<void> {
  try {
    if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw unsupportedEncoding();
    await new Promise<void>((resolve, reject) => {
      const read = (piece: Buffer) => {
        try {
          take(piece);
        } catch (error) {
          req.off('data', read);
          reject(error as Error);
        }
      };
      req.on('data', read);
      req.once('end', resolve);
      req.once('error', reject);
      req.once('close', () => {
        if (!req.complete) reject(new HttpProblem(400, 'incomplete'));
      });
    });
  } catch (error) {
    req.resume();
    throw error;
  }
}

/** Reads the whole body. Throws 413 once the body exceeds `maxBytes`. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const body = new GrowingBuffer(maxBytes);
  const announced = Number(req.headers['content-length'] ?? 0);
  await readPieces(req, (piece) => {
    if (announced > maxBytes || !body.append(piece)) throw tooLarge();
  });
  return body.bytes();
}

/** Reads the raw bytes of a body into `req.body`, for checking signatures. */
export function rawBody(maxBytes: number): RequestHandler {
  return async (req, _res, next) => {
    req.body = await readBody(req, maxBytes);
    next();
  };
}
