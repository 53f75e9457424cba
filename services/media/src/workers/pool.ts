import { fileURLToPath } from 'node:url';
import { gauges } from '@beltway/kit/metrics';
import { openWorkerPool, type WorkerPoolOptions } from '@beltway/kit/worker-pool';
import type { PictureSize, PosterEvent, PosterLook } from '@beltway/contracts/media/images';
import type { VideoCategory } from '@beltway/contracts/media/top-picks-texts';
import type { Developed } from '../image/develop.ts';
import { MAX_IMAGE_BYTES } from '../image/limits.ts';
import { ImageRefused } from '../image/refusal.ts';
import type { Job, Outcome } from './jobs.ts';

export interface ImageWorkerPool {
  /**
   * Throws `ImageRefused`, for example for more than `maxBytes` (by default the limit of an event's picture). Throws
   * `Overloaded` when too many jobs wait.
   */
  develop(bytes: Uint8Array, maxBytes?: number): Promise<Developed>;
  render(event: PosterEvent, size: PictureSize, look: PosterLook): Promise<Buffer>;
  /** Converts one of our pictures to a JPEG for mails. */
  forMail(webp: Uint8Array): Promise<Buffer>;
  /** Converts one of our pictures to a link preview. `forSite` makes the link preview of the site itself. */
  forSharing(webp: Uint8Array): Promise<Buffer>;
  forSite(): Promise<Buffer>;
  /** A plain thumbnail for a video without a usable frame. PNG. */
  cover(category: VideoCategory): Promise<Buffer>;
  /** The number of running processes. */
  size(): number;
  close(): void;
}

/** A picture that crashes or hangs its decoder is refused as broken. */
function errorOfExit({ kind }: Job, signal: NodeJS.Signals | null): Error {
  if (kind === 'develop') return new ImageRefused('image-broken');
  return new Error(`A poster could not be drawn: its process ended (${signal ?? 'by itself'})`);
}

/** A pool of processes that make pictures. */
export function openImageWorkers(options: Partial<WorkerPoolOptions> = {}): ImageWorkerPool {
  const program = fileURLToPath(import.meta.resolve('./worker.ts'));
  const closed = 'pictures-stopped';
  const pool = openWorkerPool<Job, Outcome>({ program, ...options }, { closed, errorOfExit });
  const hide = gauges(
    { image_jobs_waiting: 'Pictures that wait to be made', image_workers: 'Processes that make pictures' },
    [],
    () => [{ values: { image_jobs_waiting: pool.waiting(), image_workers: pool.size() } }],
  );
  async function drawn(job: Job): Promise<Buffer> {
    const outcome = await pool.perform(job);
    if ('rendered' in outcome) return outcome.rendered;
    throw failureOf(outcome);
  }

  return {
    async develop(bytes, maxBytes = MAX_IMAGE_BYTES) {
      const outcome = await pool.perform({ kind: 'develop', bytes, maxBytes });
      if ('developed' in outcome) return outcome.developed;
      throw failureOf(outcome);
    },
    render: (event, size, look) => drawn({ kind: 'poster', event, size, look }),
    forMail: (webp) => drawn({ kind: 'mail', webp }),
    forSharing: (webp) => drawn({ kind: 'share', webp }),
    forSite: () => drawn({ kind: 'site' }),
    cover: (category) => drawn({ kind: 'cover', category }),
    size: pool.size,
    close() {
      hide();
      pool.close();
    },
  };
}

function failureOf(outcome: Outcome): Error {
  if ('refused' in outcome) return new ImageRefused(outcome.refused);
  return new Error('failed' in outcome ? outcome.failed : 'a worker answered another job');
}
