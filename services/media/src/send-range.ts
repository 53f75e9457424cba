import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, ReadObject } from '@beltway/kit/objects';
import { IMMUTABLE, isUnchanged } from './send-immutable.ts';

export interface SentFile {
  /** A name that identifies the content. */
  name: string;
  type: string;
  /** In bytes. */
  size: number;
  /** Reads all bytes, or those in `range`; null if the file was deleted. */
  read(range?: ByteRange): Promise<ReadObject | null>;
}

/**
 * The single range of a header, both ends included (RFC 9110, 14.1.2). `whole`: several ranges or an unknown unit,
 * which are ignored; `outside`: no byte of the file is in the range.
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
 * Sends a file whose URL identifies its content, whole or in ranges (RFC 9110, 14). Caches keep the file permanently
 * and never interpret it as another type. If the file was deleted, returns false without sending a response.
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
  // If the client disconnects or the storage fails, the response is cut off. The client notices that from the
  // response's length.
  await pipeline(found.stream, res).catch(() => res.destroy());
  return true;
}
