import type { Request, RequestHandler } from 'express';
import { callerOf } from '../auth.ts';
import { USUAL_BYTES, bringsJson, parseJson } from './json-body.ts';
import { HttpProblem, unavailable } from '../problems.ts';
import { GrowingBuffer, readPieces, tooLarge } from './read-body.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const QUOTE_TEXT = Buffer.from('"');
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The index of a byte in a piece, or the piece's length if it does not occur. */
function indexOf(piece: Buffer, byte: number, from: number): number {
  const at = piece.indexOf(byte, from);
  return at === -1 ? piece.length : at;
}

/**
 * Parses a JSON object as its bytes arrive. The text of one field of the outermost object is stored separately and may
 * be several megabytes long. The rest has the limits of every other body, and only the rest is parsed as JSON. If the
 * rest exceeds these limits, the body is rejected immediately.
 */
export class LargeTextReader {
  readonly #field: Buffer;
  readonly #rest = new GrowingBuffer(USUAL_BYTES);
  /** The field's text, including its quotes. */
  readonly #text: GrowingBuffer;

  #where: 'outside' | 'string' | 'text' = 'outside';
  #escaped = false;
  #levels = 0;
  /** The next token, if it matters: a key of the outermost object, the colon after the field, or the field's value. */
  #next: 'key' | 'colon' | 'value' | undefined;
  /**
   * Number of bytes of the current key that match the field's name. NaN if a byte differs or if the string is not a
   * key.
   */
  #matched = NaN;

  constructor(field: string, maxBytes: number) {
    this.#field = Buffer.from(field);
    this.#text = new GrowingBuffer(maxBytes + 2);
  }

  /** Number of bytes of the field's text received so far. */
  get textLength(): number {
    return this.#text.length;
  }

  /** Throws 413 once the field's text or the rest is too large, and 400 if the field is repeated. */
  write(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const isText = this.#where === 'text';
      const end = isText ? this.#endOfText(piece, at) : this.#endOfRest(piece, at);
      if (!(isText ? this.#text : this.#rest).append(piece.subarray(at, end))) throw tooLarge();
      at = end;
    }
  }

  /** Returns the whole object, including the field's text. Throws 400 for invalid JSON. */
  end(): unknown {
    const body = parseJson(this.#rest.bytes());
    if (this.#text.length === 0) return body;
    try {
      return Object.assign(body, {
        [this.#field.toString()]: JSON.parse(this.#text.bytes().toString('utf8')) as unknown,
      });
    } catch {
      throw new HttpProblem(400, 'malformed-json.text', { params: { field: this.#field.toString() } });
    }
  }

  /** The index after the closing quote, or the end of the piece. */
  #endOfText(piece: Buffer, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    let quote = indexOf(piece, QUOTE, at);
    for (;;) {
      const escape = indexOf(piece, BACKSLASH, at);
      if (escape >= quote) break;
      at = escape + 2;
      if (at > piece.length) {
        this.#escaped = true;
        return piece.length;
      }
      if (quote < at) quote = indexOf(piece, QUOTE, at);
    }
    if (quote === piece.length) return quote;
    this.#where = 'outside';
    if (!this.#rest.append(QUOTE_TEXT)) throw tooLarge();
    return quote + 1;
  }

  /**
   * The index at which the field's text starts, or the end of the piece. The rest gets an empty text in place of the
   * field's text.
   */
  #endOfRest(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#where === 'string') this.#inString(byte);
      else if (byte !== QUOTE) this.#structure(byte);
      else if (this.#next === 'value') {
        this.#beginText();
        return at + 1;
      } else this.#beginString();
    }
    return piece.length;
  }

  #beginText(): void {
    if (this.#text.length > 0)
      throw new HttpProblem(400, 'repeated-key', { params: { field: this.#field.toString() } });
    this.#text.append(QUOTE_TEXT);
    this.#where = 'text';
    this.#next = undefined;
  }

  #beginString(): void {
    this.#where = 'string';
    this.#matched = this.#next === 'key' ? 0 : NaN;
    this.#next = undefined;
  }

  #inString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#where = 'outside';
      if (this.#matched === this.#field.length) this.#next = 'colon';
    }
    this.#matched = byte === this.#field[this.#matched] ? this.#matched + 1 : NaN;
  }

  #structure(byte: number): void {
    if (isSpace(byte)) return;
    const expected = this.#next;
    this.#next = undefined;
    switch (byte) {
      case OPEN_OBJECT:
        if (++this.#levels === 1) this.#next = 'key';
        break;
      case OPEN_LIST:
        this.#levels += this.#levels === 0 ? Infinity : 1; // an outermost list has no fields
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#levels--;
        break;
      case COMMA:
        if (this.#levels === 1) this.#next = 'key';
        break;
      case COLON:
        if (expected === 'colon') this.#next = 'value';
    }
  }
}

export interface LargeTextOptions {
  /** A field of the outermost object. Only its value may be large. */
  field: string;
  /** Maximum length of the field's value in bytes, as encoded in JSON. */
  maxBytes: number;
  /** Maximum total number of bytes of such texts over all requests. */
  maxTotalBytes: number;
  /** The sender of a request. Default: the caller's account. */
  senderOf?: (req: Request) => string;
}

/**
 * Parses JSON with one large text; mount it after authentication. Bodies of usual size are left to the app's own
 * parser. Each sender may have one large body arriving at a time, and the total size of all large bodies is bounded.
 * Only bytes that have arrived count, so that a sender who announces many bytes and sends few does not block other
 * senders. Beyond the bound, the earliest body is evicted with 503 and `Retry-After`, so a body that stalls near its
 * end makes room for other bodies.
 */
export function largeTextBody({
  field,
  maxBytes,
  maxTotalBytes,
  senderOf = (req) => String(callerOf(req).id),
}: LargeTextOptions): RequestHandler {
  const senders = new Set<string>();
  /** Functions that evict each arriving body, earliest first. */
  const arriving = new Set<() => void>();
  let held = 0;
  const turnAway = () => unavailable('too-many-pictures', 2);

  return async (req, res, next) => {
    // The client disconnected during authentication. 'close' has already been emitted, so it would not release the
    // sender.
    if (res.destroyed) return;
    if (Number(req.get('content-length') ?? Infinity) <= USUAL_BYTES || !bringsJson(req)) return next();
    const sender = senderOf(req);
    if (senders.has(sender)) {
      req.resume();
      throw turnAway();
    }
    senders.add(sender);
    let reader: LargeTextReader | undefined = new LargeTextReader(field, maxBytes);
    let counted = 0;
    const count = (bytes: number) => {
      held += bytes - counted;
      counted = bytes;
    };
    res.once('close', () => {
      senders.delete(sender);
      count(0);
    });
    let giveUp = (): void => undefined;
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = () => {
        arriving.delete(giveUp);
        reader = undefined;
        count(0);
        reject(turnAway());
      };
    });
    arriving.add(giveUp);
    const read = readPieces(req, (piece) => {
      if (res.closed || !reader) return;
      reader.write(piece);
      count(reader.textLength);
      for (const one of arriving) if (held > maxTotalBytes) one();
    });
    await Promise.race([read, givenUp]).finally(() => arriving.delete(giveUp));
    req.body = reader.end();
    next();
  };
}
