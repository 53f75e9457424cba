import type { Request, RequestHandler } from 'express';
import { callerOf } from '../auth.ts';
import { USUAL_BYTES, bringsJson, parseJson } from './json-body.ts';
import { HttpProblem, unavailable } from '../problems.ts';
import { GrowingBuffer, readPieces, tooLarge } from './read-body.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const QUOTE_TEXT = Buffer.from('"');
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The end, where there is none. */
function indexOf(piece: Buffer, byte: number, from: number): number {
  const at = piece.indexOf(byte, from);
  return at === -1 ? piece.length : at;
}

/**
 * Reads a JSON object as its bytes arrive. The text of one field of the outermost object is kept apart and may have megabytes; the
 * rest has the limits of every other body, and only the rest is parsed as JSON. Whoever writes megabytes anywhere else is refused as
 * soon as they are too many.
 */
export class LargeTextReader {
  readonly #field: Buffer;
  readonly #rest = new GrowingBuffer(USUAL_BYTES);
  /** With its quotes. */
  readonly #text: GrowingBuffer;

  #where: 'outside' | 'string' | 'text' = 'outside';
  #escaped = false;
  #levels = 0;
  /** What comes next, where it is known: a key of the outermost object, the colon after the field, the field's value. */
  #next: 'key' | 'colon' | 'value' | undefined;
  /** Bytes of a key that are the field's so far; NaN when they are not, or the string is no key. */
  #matched = NaN;

  constructor(field: string, maxBytes: number) {
    this.#field = Buffer.from(field);
    this.#text = new GrowingBuffer(maxBytes + 2);
  }

  /** Bytes of the field's text so far. */
  get textLength(): number {
    return this.#text.length;
  }

  /** Throws 413 once either part is too large, 400 when the field comes twice. */
  write(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const isText = this.#where === 'text';
      const end = isText ? this.#endOfText(piece, at) : this.#endOfRest(piece, at);
      if (!(isText ? this.#text : this.#rest).append(piece.subarray(at, end))) throw tooLarge();
      at = end;
    }
  }

  /** The whole object, the field's text in its place. Throws 400 when it is none. */
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

  /** Behind the closing quote, or at the end of the piece. */
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

  /** Where the field's text begins, or the end of the piece. In the rest stands an empty text for it. */
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
        this.#levels += this.#levels === 0 ? Infinity : 1; // nothing in an outermost list is a field
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
  /** Of the outermost object: the only value that may be large. */
  field: string;
  /** Bytes of it, as JSON spells it. */
  maxBytes: number;
  /** Bytes of such texts that all requests together may hold. */
  maxTotalBytes: number;
  /** Who sends it, where that is no account. */
  senderOf?: (req: Request) => string;
}

/**
 * JSON with one large text, behind who checks the sender. Smaller bodies are left to the app's own parser. One sender has one large
 * body on its way at a time, and all have so many bytes together, counted as they arrive, so that nobody keeps others out by
 * announcing much and sending little. Beyond, the one that began first is given up: who sends nearly all and then nothing more makes
 * room for those who go on. 503 with `Retry-After`.
 */
export function largeTextBody({
  field,
  maxBytes,
  maxTotalBytes,
  senderOf = (req) => String(callerOf(req).id),
}: LargeTextOptions): RequestHandler {
  const senders = new Set<string>();
  /** How to give up each body that is on its way, in the order of their beginning. */
  const arriving = new Set<() => void>();
  let held = 0;
  const turnAway = () => unavailable('too-many-pictures', 2);

  return async (req, res, next) => {
    // Its client left while the sign-in was checked: 'close' was told, and would not give the place back.
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
