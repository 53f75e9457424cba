import busboy from 'busboy';
import type { Request } from 'express';
import { HttpProblem, badField } from '@beltway/kit/problems';
import { GrowingBuffer } from '@beltway/kit/read-body';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused, REFUSALS } from './refusal.ts';

/** Boundaries, part headers and small fields beside the file. */
const OVERHEAD = 64 * 1024;
/** Fields beside a file. */
const MAX_FIELDS = 8;

interface UploadLimits {
  /** Of the file. */
  maxBytes: number;
  /** Of one field beside it. */
  maxWordsBytes: number;
}

/** What a multipart body had: its file, unless that was missing or empty, and the fields beside it. */
export interface ReceivedUpload {
  file: Buffer | undefined;
  texts: Record<string, string>;
}

/**
 * The one file of a multipart body and the fields beside it, never more of it in memory than `limits` say. What is refused is still read to
 * its end and thrown away: a browser that is cut off while sending shows its own error instead of ours. What the file is called is not looked at.
 */
export function receiveUpload(req: Request, field: string, limits: UploadLimits): Promise<ReceivedUpload> {
  const { maxBytes } = limits;
  const refuse = (error: Error): never => {
    req.unpipe();
    req.resume();
    throw error;
  };
  if (Number(req.get('content-length') ?? 0) > maxBytes + OVERHEAD)
    return Promise.resolve().then(() => refuse(new ImageRefused('image-too-large')));

  return new Promise<ReceivedUpload>((resolve, reject) => {
    let file: Buffer | undefined;
    let fault: Error | undefined;
    const texts = new Map<string, string>();
    const parser = parserOf(req, limits);
    parser.on('file', (name, stream) => {
      if (name !== field) {
        fault ??= badField(name || field, `Send the image as "${field}"`);
        stream.resume();
        return;
      }
      // One more than may be: more is never given, see the limits below.
      const bytes = new GrowingBuffer(maxBytes + 1);
      stream.on('data', (piece: Buffer) => void bytes.append(piece));
      stream.on('limit', () => {
        fault ??= new ImageRefused('image-too-large');
        reject(fault);
      });
      stream.on('end', () => (file = bytes.bytes()));
    });
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated) return;
      if (valueTruncated) fault ??= badField(name, 'is too long');
      else if (texts.has(name)) fault ??= badField(name, 'Send it once');
      else texts.set(name, value);
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => (fault ??= badField(field, 'Send one image at a time')));
    parser.on('error', () => reject(new HttpProblem(400, 'malformed-upload', 'The upload is not well formed.')));
    parser.on('close', () => {
      if (fault) return reject(fault);
      resolve({ file: file?.length ? file : undefined, texts: Object.fromEntries(texts) });
    });
    req.on('close', () => {
      if (!req.complete) reject(new HttpProblem(400, 'incomplete', 'The upload did not arrive whole.'));
    });
    req.pipe(parser);
  }).catch(refuse);
}

/** The one file of a body that has nothing else. */
export async function receiveFile(req: Request, field: string): Promise<Buffer> {
  const { file } = await receiveUpload(req, field, { maxBytes: MAX_IMAGE_BYTES, maxWordsBytes: 1024 });
  if (!file) throw badField(field, REFUSALS['not-an-image'].message);
  return file;
}

function parserOf(req: Request, { maxBytes, maxWordsBytes }: UploadLimits) {
  try {
    if (!req.is('multipart/form-data')) throw new Error('not multipart');
    return busboy({
      headers: req.headers,
      // One more than may be: busboy calls it too much when the limit is reached.
      limits: {
        ...{ fileSize: maxBytes + 1, files: 1, parts: MAX_FIELDS + 2, headerPairs: 20 },
        ...{ fields: MAX_FIELDS, fieldSize: maxWordsBytes, fieldNameSize: 100 },
      },
    });
  } catch {
    throw new HttpProblem(415, 'not-multipart', 'Send the image as multipart/form-data.');
  }
}

/** The bytes of `data:image/…;base64,…`. What it says of its type is not believed. */
export function bytesOfDataUrl(dataUrl: string): Buffer {
  const start = /^data:[\w.+/-]{0,100}(?:;[\w.=-]{1,60}){0,4};base64,/.exec(dataUrl)?.[0].length;
  if (start === undefined) throw new ImageRefused('not-an-image');
  if ((dataUrl.length - start) * 0.75 - 2 > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
  return Buffer.from(dataUrl.slice(start), 'base64');
}
