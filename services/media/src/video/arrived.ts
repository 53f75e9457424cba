import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MAX_VIDEO_BYTES } from '@beltway/contracts/media/top-picks-texts';
import { unavailable } from '@beltway/kit/problems';
import type { FileField } from '../upload/form.ts';
import { bytesOf, inspectVideo } from './container.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { FoundVideo, VideoKind } from './found.ts';
import { VideoRefused } from './refusal.ts';
import { takeOutMetadata } from './take-out-metadata.ts';

/** Faults of this machine's disk, not of the upload. */
const DISK_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO', 'EACCES', 'EFBIG']);

const asUnavailable = (error: unknown): unknown =>
  DISK_FAULTS.has(String((error as NodeJS.ErrnoException).code)) ? unavailable('videos-untaken', 30) : error;

/** A received video. */
export interface ReceivedVideo {
  bytes: number;
  /** sha256, hex. */
  hash: string;
}

/**
 * The video in a form, written to `path`. The hash is computed while the video arrives, which saves a second pass over
 * the bytes.
 */
export const videoTo = (path: string): FileField<ReceivedVideo> => ({
  maxBytes: MAX_VIDEO_BYTES,
  tooLarge: () => new VideoRefused('video-too-large'),
  async keep(stream) {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const hash = createHash('sha256');
    stream.on('data', (piece: Buffer) => hash.update(piece));
    await pipeline(stream, file).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    return { bytes: file.bytesWritten, hash: hash.digest('hex') };
  },
});

/** A checked video on the local disk. */
export interface ArrivedVideo {
  path: string;
  bytes: number;
  kind: VideoKind;
  /** The hash of the stored bytes, and the file extension. */
  name: string;
}

/**
 * Checks a file, removes the place and owner that the camera wrote to it, and names the file by the hash of the result.
 * Throws `VideoRefused`.
 */
export async function judgeVideo(
  path: string,
  { bytes, hash }: ReceivedVideo,
  ffmpeg: Pick<Ffmpeg, 'check'>,
): Promise<ArrivedVideo> {
  const file = await open(path, 'r+');
  let found: FoundVideo;
  try {
    found = await inspectVideo(bytesOf(file, bytes));
    await takeOutMetadata(file, found);
  } finally {
    await file.close();
  }
  const { kind, metadata } = found;
  await ffmpeg.check(path, kind);
  return { path, bytes, kind, name: `${metadata.length > 0 ? await hashOf(path) : hash}.${kind}` };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}
