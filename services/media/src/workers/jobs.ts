import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';
import type { PictureSize, PosterEvent, PosterLook } from '@beltway/contracts/media/images';
import { developImage } from '../image/develop.ts';
import { mailPicture } from '../mail-picture/make.ts';
import type { Developed } from '../image/develop.ts';
import { ImageRefused } from '../image/refusal.ts';
import type { RefusalCode } from '../image/refusal.ts';
import { renderPoster } from '../poster/render.ts';
import { sharePicture } from '../share-picture/make.ts';
import { siteSharePicture } from '../share-picture/site.ts';
import { renderCover } from '../video/cover.ts';

export type Job =
  | { kind: 'develop'; bytes: Uint8Array; maxBytes: number }
  | { kind: 'poster'; event: PosterEvent; size: PictureSize; look: PosterLook }
  | { kind: 'mail'; webp: Uint8Array }
  | { kind: 'share'; webp: Uint8Array }
  | { kind: 'site' }
  | { kind: 'cover'; category: VideoCategory };

export type Outcome = { developed: Developed } | { rendered: Buffer } | { refused: RefusalCode } | { failed: string };

/** Runs a job in a worker. Always returns an outcome. */
export async function perform(job: Job): Promise<Outcome> {
  try {
    switch (job.kind) {
      case 'develop':
        return { developed: await developImage(job.bytes, job.maxBytes) };
      case 'poster':
        return { rendered: await renderPoster(job.event, job.size, job.look) };
      case 'mail':
        return { rendered: await mailPicture(job.webp) };
      case 'share':
        return { rendered: await sharePicture(job.webp) };
      case 'site':
        return { rendered: await siteSharePicture() };
      case 'cover':
        return { rendered: await renderCover(job.category) };
    }
  } catch (error) {
    if (error instanceof ImageRefused) return { refused: error.code };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
