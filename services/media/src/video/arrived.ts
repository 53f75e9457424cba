import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MAX_VIDEO_BYTES } from '@beltway/contracts/top-picks-texts';
import { unavailable } from '@beltway/kit/problems';
import type { FileField } from '../upload/form.ts';
import { bytesOf, inspectVideo } from './container.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { VideoKind } from './found.ts';
import { VideoRefused } from './refusal.ts';
import { takeOutMetadata } from './take-out-metadata.ts';

/** Of this machine's disk, not of what is sent. */
const DISK_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO', 'EACCES', 'EFBIG']);

const asUnavailable = (error: unknown): unknown =>
  DISK_FAULTS.has(String((error as NodeJS.ErrnoException).code))
    ? unavailable('Videos cannot be taken right now. Please try again in a moment.', 30)
    : error;

/** A video of a form, written to `path` as it arrives. Keeps how many bytes it has. */
export const videoTo = (path: string): FileField<number> => ({
  maxBytes: MAX_VIDEO_BYTES,
  tooLarge: () => new VideoRefused('video-too-large'),
  async keep(stream) {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(stream, file).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    return file.bytesWritten;
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
export async function judgeVideo(path: string, bytes: number, ffmpeg: Pick<Ffmpeg, 'check'>): Promise<ArrivedVideo> {
  const file = await open(path, 'r+');
  let kind: VideoKind;
  try {
    const found = await inspectVideo(bytesOf(file, bytes));
    kind = found.kind;
    await takeOutMetadata(file, found);
  } finally {
    await file.close();
  }
  await ffmpeg.check(path, kind);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  return { path, bytes, kind, name: `${hash.digest('hex')}.${kind}` };
}
