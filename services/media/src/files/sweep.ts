import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import type { Images } from '../image/images.ts';
import type { Spool } from '../upload/spool.ts';
import { KEPT } from './kept-files.ts';
import type { StoredPictures } from './stored-pictures.ts';
import type { StoredVideos } from './stored-videos.ts';

const SWEEP_MS = 60_000;

/** Texts, keys and rights of uploads that ended before their photo or video was there. */
const LEFT = [
  `delete from photo_texts t where written_at < now() - interval '${KEPT}'
    and not exists (select from photos where photo_id = t.photo_id)`,
  `delete from video_texts t where written_at < now() - interval '${KEPT}'
    and not exists (select from videos where video_id = t.video_id)`,
  `delete from clip_uses u where used_at < now() - interval '${KEPT}'
    and not exists (select from videos where video_id = u.video_id)`,
  `delete from photo_uploads where created_at < now() - interval '7 days'`,
  `delete from video_uploads where created_at < now() - interval '7 days'`,
];

export interface Sweep extends Poller {
  /** Sweeps what can be swept now. */
  now(): Promise<void>;
}

interface SweepDeps {
  pool: Queryable;
  images: Pick<Images, 'sweep'>;
  pictures: Pick<StoredPictures, 'sweep'>;
  videos: Pick<StoredVideos, 'sweep'>;
  spool: Pick<Spool, 'sweep'>;
  log: Logger;
}

/** Deletes what uploads left and nobody has any more: every minute, and when it is woken. */
export function startSweep({ pool, images, pictures, videos, spool, log }: SweepDeps): Sweep {
  async function sweep(): Promise<boolean> {
    // Each for itself: a storage or a catalog that cannot now keeps no row from going.
    const ends = await Promise.allSettled([images.sweep(), pictures.sweep(), videos.sweep(), spool.sweep()]);
    for (const text of LEFT) await pool.query(text);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return ends.some((end) => end.status === 'fulfilled' && end.value === true);
  }
  return {
    ...startPolling(log, 'sweep files', SWEEP_MS, sweep),
    now: async () => {
      while (await sweep());
    },
  };
}
