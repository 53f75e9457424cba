import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';
import type { StoredPicture, StoredPictures } from '../files/stored-pictures.ts';
import { ImageRefused } from '../image/refusal.ts';
import type { ImageWorkerPool } from '../workers/pool.ts';
import type { Charge } from '../upload/stored-bytes.ts';
import type { VideoKind } from './found.ts';
import type { Ffmpeg } from './ffmpeg.ts';

interface ThumbnailDeps {
  pictures: Pick<StoredPictures, 'store'>;
  workers: Pick<ImageWorkerPool, 'cover'>;
  ffmpeg: Pick<Ffmpeg, 'frameOf'>;
}

interface OfVideo {
  /** Sent with the video. */
  given: Buffer | undefined;
  path: string;
  kind: VideoKind;
  category: VideoCategory;
  charge: Charge;
}

/** The picture that stands for a video: the one that came with it, else one of the video, else a plain one. Throws `ImageRefused` for the first. */
export async function storeThumbnail(
  { pictures, workers, ffmpeg }: ThumbnailDeps,
  { given, path, kind, category, charge }: OfVideo,
): Promise<StoredPicture> {
  if (given) return pictures.store(given, charge);
  const frame = await ffmpeg.frameOf(path, kind);
  if (frame)
    try {
      return await pictures.store(frame, charge);
    } catch (error) {
      // Not what its sender chose: the plain one does.
      if (!(error instanceof ImageRefused)) throw error;
    }
  return pictures.store(await workers.cover(category), charge);
}
