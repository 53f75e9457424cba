import { ago } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import type { Images } from '../image/images.ts';
import type { Spool } from '../upload/spool.ts';
import { KEPT_SECONDS } from './kept-files.ts';
import type { StoredPictures } from './stored-pictures.ts';
import type { StoredVideos } from './stored-videos.ts';

const SWEEP_MS = 60_000;

/** Deletes texts and clip rights of uploads that failed before their photo or video was created. */
async function deleteLeft(pool: Queryable): Promise<void> {
  const old = ago(`${KEPT_SECONDS} seconds`);
  await kysely(pool)
    .deleteFrom('itemTexts as t')
    .where('t.writtenAt', '<', old)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(selectFrom('items as i').select('i.id').whereRef('i.kind', '=', 't.kind').whereRef('i.id', '=', 't.id')),
      ),
    )
    .execute();
  await kysely(pool)
    .deleteFrom('clipUses as u')
    .where('u.usedAt', '<', old)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('items as i').select('i.id').where('i.kind', '=', 'video').whereRef('i.id', '=', 'u.videoId'),
        ),
      ),
    )
    .execute();
}

export interface Sweep extends Poller {
  /** Sweeps immediately. */
  now(): Promise<void>;
}

interface SweepDeps {
  pool: Queryable;
  images: Pick<Images, 'startDeleting'>;
  pictures: Pick<StoredPictures, 'startDeleting'>;
  videos: Pick<StoredVideos, 'startDeleting'>;
  spool: Pick<Spool, 'sweep'>;
  log: Logger;
}

/**
 * Deletes unreferenced files and, every minute, what failed uploads left behind. Call `wake` after a reference was
 * removed.
 */
export function startSweep({ pool, images, pictures, videos, spool, log }: SweepDeps): Sweep {
  const deleting = [images, pictures, videos].map((files) => files.startDeleting(log));
  async function sweep(): Promise<boolean> {
    await spool.sweep();
    await deleteLeft(pool);
    return false;
  }
  const sweeping = startPolling(log, 'sweep uploads', SWEEP_MS, sweep);
  return {
    wake: () => deleting.forEach((worker) => worker.wake()),
    now: async () => {
      await sweep();
      for (const worker of deleting) await worker.work();
    },
    stop: async () => void (await Promise.all([sweeping, ...deleting].map((each) => each.stop()))),
  };
}
