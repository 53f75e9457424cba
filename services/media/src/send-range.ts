import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, ReadObject } from '@beltway/kit/objects';
import { IMMUTABLE, isUnchanged } from './send-immutable.ts';

export interface SentFile {
  /** Names its content. */
  name: string;
  type: string;
  /** In bytes. */
  size: number;
  /** The bytes, or those of a range; null when they are gone. */
  read(range?: ByteRange): Promise<ReadObject | null>;
}

/**
 * The one range that a header asks for, both ends included (RFC 9110, 14.1.2). `whole`: it asks for several, or is none that we know, and
 * is passed over; `outside`: the file has no byte of it.
 */
export function rangeOf(header: string | undefined, size: number): Required<ByteRange> | 'whole' | 'outside' {
  const [, first, last] = /^bytes=[\t ]*(\d{0,15})-(\d{0,15})[\t ]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'outside' : { start, end };
}

/**
 * A file whose address names its content: kept by every cache for ever, whole or in ranges (RFC 9110, 14), and never run as anything but
 * what it is. Undefined when it is gone: nothing was sent.
 */
export async function sendRange(req: Request, res: Response, { name, type, size, read }: SentFile): Promise<boolean> {
  const etag = `"${name}"`;
  const headers = { ...IMMUTABLE, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (isUnchanged(req, etag)) {
    res.set(headers).status(304).end();
    return true;
  }
  const condition = req.get('if-range');
  const isAsked = req.method === 'GET' && (condition === undefined || condition.trim() === etag);
  const range = isAsked ? rangeOf(req.get('range'), size) : 'whole';
  if (range === 'outside') {
    res.set({ 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}` });
    res.status(416).end();
    return true;
  }
  const isWhole = range === 'whole';
  const found = req.method === 'HEAD' ? undefined : await read(isWhole ? undefined : range);
  if (found === null) return false;
  res.set({ ...headers, 'Content-Type': type });
  res.set('Content-Length', String(isWhole ? size : range.end - range.start + 1));
  if (!isWhole) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  if (!found) {
    res.end();
    return true;
  }
  // The reader may leave, and the storage may fail: then the answer is cut off, which its length tells.
  await pipeline(found.stream, res).catch(() => res.destroy());
  return true;
}
