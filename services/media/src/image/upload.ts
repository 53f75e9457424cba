import type { Request } from 'express';
import { badField } from '@beltway/kit/problems';
import { receiveForm } from '../upload/form.ts';
import { inMemory } from '../upload/in-memory.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused } from './refusal.ts';

interface UploadLimits {
  /** Maximum bytes of the file. */
  maxBytes: number;
  /** Names of the other fields. */
  words: readonly string[];
  /** Maximum bytes of one other field. */
  maxWordsBytes: number;
}

/** The parts of a multipart body: its file, unless missing or empty, and the other fields. */
export interface ReceivedUpload {
  file: Buffer | undefined;
  texts: Record<string, string>;
}

/** Reads a multipart body with one picture and other fields, holding at most `limits` in memory. */
export async function receiveUpload(
  req: Request,
  field: string,
  { maxBytes, words, maxWordsBytes }: UploadLimits,
): Promise<ReceivedUpload> {
  const picture = inMemory(maxBytes, () => new ImageRefused('image-too-large'));
  const { files, texts } = await receiveForm(req, { files: { [field]: picture }, words, maxWordsBytes, what: 'image' });
  const file = files[field];
  return { file: file?.length ? file : undefined, texts };
}

/** Reads the file of a body without other fields. */
export async function receiveFile(req: Request, field: string): Promise<Buffer> {
  const { file } = await receiveUpload(req, field, { maxBytes: MAX_IMAGE_BYTES, words: [], maxWordsBytes: 1024 });
  if (!file) throw badField(field, 'invalid.picture-type');
  return file;
}

/** The bytes of `data:image/…;base64,…`. The declared type is ignored. */
export function bytesOfDataUrl(dataUrl: string): Buffer {
  const start = /^data:[\w.+/-]{0,100}(?:;[\w.=-]{1,60}){0,4};base64,/.exec(dataUrl)?.[0].length;
  if (start === undefined) throw new ImageRefused('not-an-image');
  if ((dataUrl.length - start) * 0.75 - 2 > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
  return Buffer.from(dataUrl.slice(start), 'base64');
}
