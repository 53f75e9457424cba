import type { Request, RequestHandler } from 'express';
import { HttpProblem, unsupportedEncoding } from '../problems.ts';
import { readBody } from './read-body.ts';

/** Default limit of a JSON body. */
export const USUAL_BYTES = 100 * 1024;

/**
 * Limits of a body. The largest legitimate bodies are the lists of up to 500 ids between services, which have two
 * levels.
 */
const MAX_VALUES = 1_000;
const MAX_LEVELS = 8;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * Rejects JSON with more values or levels than any legitimate body before it is parsed. Otherwise 100 kB of `{}` would
 * be 30,000 objects, which schemas would examine and report one by one. Scans UTF-8 bytes; in UTF-8, every ASCII byte
 * is an ASCII character.
 */
export function assertModest(bytes: Uint8Array): void {
  let values = 0;
  let levels = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++levels > MAX_LEVELS) throw new HttpProblem(400, 'too-deep', { params: { levels: MAX_LEVELS } });
        values++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        levels--;
        break;
      case COMMA:
        values++;
    }
    if (values > MAX_VALUES) throw new HttpProblem(400, 'too-many-values', { params: { values: MAX_VALUES } });
  }
}

const malformed = () => new HttpProblem(400, 'malformed-json');

/** Checks the limits, then parses these bytes. Throws 400 unless they are an object or a list. */
export function parseJson(bytes: Buffer): object {
  assertModest(bytes);
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed();
  }
  if (typeof json !== 'object' || json === null) throw malformed();
  return json;
}

/**
 * True if the request has an unread JSON body. Throws 415 for encodings other than UTF-8 (RFC 8259, section 8.1),
 * because their values could not be counted.
 */
export function bringsJson(req: Request): boolean {
  if (req.body !== undefined || req.readableEnded || !req.is('application/json')) return false;
  const charset = /;\s*charset="?([^";\s]+)/i.exec(req.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return true;
  req.resume();
  throw unsupportedEncoding();
}

/**
 * Parses a JSON body into `req.body`, within the limits of bytes, values and levels. An empty body becomes an empty
 * object. Rejects compressed bodies (415).
 */
export function jsonBody(maxBytes = USUAL_BYTES): RequestHandler {
  return async (req, _res, next) => {
    if (bringsJson(req)) {
      const bytes = await readBody(req, maxBytes);
      req.body = bytes.length === 0 ? {} : parseJson(bytes);
    }
    next();
  };
}
