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
  /** The picture that was sent with the video. */
  given: Buffer | undefined;
  path: string;
  kind: VideoKind;
  category: VideoCategory;
  charge: Charge;
}

/**
 * Stores a video's thumbnail: the uploaded picture, else a frame, else a plain picture. Throws `ImageRefused` for an
 * uploaded picture.
 */
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
      // The frame was refused. The sender did not choose that frame, so the plain thumbnail replaces it.
      if (!(error instanceof ImageRefused)) throw error;
    }
  return pictures.store(await workers.cover(category), charge);
}
