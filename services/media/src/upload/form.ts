import busboy from 'busboy';
import { Transform, type Readable } from 'node:stream';
import type { Request } from 'express';
import { HttpProblem, badField } from '@beltway/kit/problems';

/** Bytes allowed for boundaries, part headers and small fields beside the files. */
const OVERHEAD = 64 * 1024;
/** Maximum number of fields beside the files. */
const MAX_FIELDS = 8;

/** A file that a form may contain. */
export interface FileField<Kept> {
  maxBytes: number;
  /** The error for a larger file. */
  tooLarge: () => Error;
  /** Reads the stream to its end. The stream fails if the file is too large or truncated. */
  keep(bytes: Readable): Promise<Kept>;
}

interface FormOptions<Files extends Record<string, FileField<unknown>>> {
  files: Files;
  /** Names of the other fields. Unknown fields are refused. */
  words: readonly string[];
  /** Maximum bytes of one other field. */
  maxWordsBytes: number;
  /** The kind of file. */
  what: 'image' | 'video';
}

export interface ReceivedForm<Files extends Record<string, FileField<unknown>>> {
  /** A missing file is undefined; an empty file is not undefined. */
  files: { [Name in keyof Files]?: Awaited<ReturnType<Files[Name]['keep']>> };
  texts: Record<string, string>;
}

/**
 * Reads the files and the other fields of a multipart body. A refused body is still read to its end and discarded,
 * because a browser that is cut off while sending shows its own error instead of ours. File names are ignored.
 */
export async function receiveForm<Files extends Record<string, FileField<unknown>>>(
  req: Request,
  { files, words, maxWordsBytes, what }: FormOptions<Files>,
): Promise<ReceivedForm<Files>> {
  const fields = new Map(Object.entries(files));
  const sizes = [...fields.values()].map(({ maxBytes }) => maxBytes);
  const parser = parserOf(req, { maxBytes: Math.max(...sizes), files: fields.size, maxWordsBytes, what });
  const isTooLarge = Number(req.get('content-length') ?? 0) > sizes.reduce((sum, one) => sum + one, OVERHEAD);
  const received = new Map<string, unknown>();
  const keeping: Array<Promise<void>> = [];
  // Destroying the parser below also emits an error.
  parser.on('error', () => undefined);
  try {
    if (isTooLarge) throw fields.values().next().value!.tooLarge();
    return await new Promise<ReceivedForm<Files>>((resolve, reject) => {
      let fault: Error | undefined;
      const texts = new Map<string, string>();
      const asked = new Set<string>();
      parser.on('file', (name, stream) => {
        // An error of the parser also ends this stream; that error is reported below.
        stream.on('error', () => undefined);
        const field = fields.get(name);
        if (!field || asked.has(name)) {
          fault ??= field
            ? badField(name || [...fields.keys()][0]!, 'invalid.send-once')
            : expected(name || [...fields.keys()][0]!, what, fields);
          stream.resume();
          return;
        }
        asked.add(name);
        const kept = field.keep(bounded(stream, field)).then((one) => void received.set(name, one));
        keeping.push(kept);
        kept.catch(reject);
      });
      parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
        if (nameTruncated || !words.includes(name))
          fault ??= fields.has(name) ? expected(name, what, fields) : badField(name, 'invalid.not-accepted');
        else if (valueTruncated) fault ??= badField(name, 'invalid.is-too-long');
        else if (texts.has(name)) fault ??= badField(name, 'invalid.send-once');
        else texts.set(name, value);
      });
      for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
        parser.on(limit, () => (fault ??= badField([...fields.keys()][0]!, 'invalid.send-one', { params: { what } })));
      const malformed = () => new HttpProblem(400, 'malformed-upload');
      parser.on('error', () => reject(malformed()));
      parser.on('close', () => {
        Promise.all(keeping).then(() => {
          if (fault) return reject(fault);
          resolve({ files: Object.fromEntries(received), texts: Object.fromEntries(texts) } as ReceivedForm<Files>);
        }, reject);
      });
      req.on('close', () => {
        if (!req.complete) reject(new HttpProblem(400, 'incomplete.upload'));
      });
      req.pipe(parser);
    });
  } catch (error) {
    req.unpipe();
    req.resume();
    // Stops files that are being stored, so that nothing is written after this function throws.
    parser.destroy();
    await Promise.allSettled(keeping);
    throw error;
  }
}

function expected(name: string, what: 'image' | 'video', fields: Map<string, unknown>): HttpProblem {
  const [first = '', second] = fields.keys();
  return second === undefined
    ? badField(name, 'invalid.send-as', { params: { what, field: first } })
    : badField(name, 'invalid.send-as-either', { params: { what, first, second } });
}

/** The bytes of a part. Fails if the part has more bytes than permitted, or is truncated. */
function bounded(part: Readable, { maxBytes, tooLarge }: FileField<unknown>): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      done(bytes > maxBytes ? tooLarge() : null, piece);
    },
  });
  part.on('error', (error) => counted.destroy(error));
  part.on('close', () => {
    if (!part.readableEnded) counted.destroy(new HttpProblem(400, 'incomplete.upload'));
  });
  counted.on('error', () => part.resume());
  return part.pipe(counted);
}

interface ParserOptions {
  maxBytes: number;
  files: number;
  maxWordsBytes: number;
  what: 'image' | 'video';
}

function parserOf(req: Request, { maxBytes, files, maxWordsBytes, what }: ParserOptions) {
  try {
    if (!req.is('multipart/form-data')) throw new Error('not multipart');
    return busboy({
      headers: req.headers,
      // One byte more than permitted, to detect files that are larger than permitted.
      limits: {
        ...{ fileSize: maxBytes + 1, files, parts: MAX_FIELDS + files + 1, headerPairs: 20 },
        ...{ fields: MAX_FIELDS, fieldSize: maxWordsBytes, fieldNameSize: 100 },
      },
    });
  } catch {
    req.resume();
    throw new HttpProblem(415, 'not-multipart', { params: { what } });
  }
}
