import type { Request } from 'express';
import { badField } from '@beltway/kit/problems';
import { receiveForm } from '../upload/form.ts';
import { inMemory } from '../upload/in-memory.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';
import { ImageRefused } from './refusal.ts';

interface UploadLimits {
  /** Of the file. */
  maxBytes: number;
  /** Names of the fields beside it. */
  words: readonly string[];
  /** Of one field beside it. */
  maxWordsBytes: number;
}

/** What a multipart body had: its file, unless that was missing or empty, and the fields beside it. */
export interface ReceivedUpload {
  file: Buffer | undefined;
  texts: Record<string, string>;
}

/** The one picture of a multipart body and the fields beside it, never more of it in memory than `limits` say. */
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

/** The one file of a body that has nothing else. */
export async function receiveFile(req: Request, field: string): Promise<Buffer> {
  const { file } = await receiveUpload(req, field, { maxBytes: MAX_IMAGE_BYTES, words: [], maxWordsBytes: 1024 });
  if (!file) throw badField(field, 'invalid.picture-type');
  return file;
}

/** The bytes of `data:image/…;base64,…`. What it says of its type is not believed. */
export function bytesOfDataUrl(dataUrl: string): Buffer {
  const start = /^data:[\w.+/-]{0,100}(?:;[\w.=-]{1,60}){0,4};base64,/.exec(dataUrl)?.[0].length;
  if (start === undefined) throw new ImageRefused('not-an-image');
  if ((dataUrl.length - start) * 0.75 - 2 > MAX_IMAGE_BYTES) throw new ImageRefused('image-too-large');
  return Buffer.from(dataUrl.slice(start), 'base64');
}
