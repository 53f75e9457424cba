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

/** Of this machine's disk, not of what is sent. */
const DISK_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO', 'EACCES', 'EFBIG']);

const asUnavailable = (error: unknown): unknown =>
  DISK_FAULTS.has(String((error as NodeJS.ErrnoException).code)) ? unavailable('videos-untaken', 30) : error;

/** A video as it came. */
export interface ReceivedVideo {
  bytes: number;
  /** sha256, hex. */
  hash: string;
}

/** A video of a form, written to `path` and hashed as it arrives: then nothing is left to do for all of its bytes at once. */
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

/** A video on this machine's disk that was judged. */
export interface ArrivedVideo {
  path: string;
  bytes: number;
  kind: VideoKind;
  /** The hash of its bytes as they are stored, and the ending of its kind. */
  name: string;
}

/** Judges a file, takes out what its camera wrote of place and owner, and names it by what is left. Throws `VideoRefused`. */
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
