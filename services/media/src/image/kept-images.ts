import type { Pool } from 'pg';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, RUNS, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';

/**
 * How long a picture stays after an upload and after its last reference, in seconds. A catalog restored to a time
 * within this period therefore still has its pictures (docs/operations/backup.md).
 */
const GRACE_SECONDS = 30 * 24 * 3_600;

/**
 * Returns those of the pictures that are referenced: by an event, an ad, a post, or a series that is being published.
 */
export type AskNamed = (names: readonly string[]) => Promise<ReadonlySet<string>>;

interface Kept {
  /** The picture was unreferenced at the end of its last grace period. */
  isUnnamed?: true;
  /** The picture is deleted even if it is referenced. */
  isErased?: true;
}
/**
 * One job for each event picture in storage. At the end of the grace period, the job checks whether the picture is
 * referenced. The key of a job is the picture's name.
 */
const pictures: Queue<Kept> = {
  ...{ name: 'event-picture', maxAttempts: 30, pauseMs: backoff(30_000, 3_600_000) },
  ...{ leaseSeconds: 60, concurrency: 10, keepsDone: false },
};
/**
 * SQL condition: the picture's files are being deleted, or will be deleted. Once the job has found the picture
 * unreferenced, the picture can no longer be kept, so that this result stays true.
 */
const GOES = `(jobs.data ? 'isErased' or jobs.data ? 'isUnnamed' and ${RUNS})`;
// Plain SQL, because the jobs table belongs to the kit.
const STAYS = `select from jobs where queue = $1 and key = $2 and not ${GOES}`;
/** Deletes the rows of the picture's source bytes. Plain SQL, because the name combines two columns. */
const FORGET = `with sent as (
    delete from images where hash = split_part($1, '-', 1) and coalesce(tint, '') = split_part($1, '-', 2) returning source_hash)
  delete from further_uploads f using sent where f.source_hash = sent.source_hash`;

/** Pictures of events in storage, and how long they stay (docs/decisions/0072). */
export const keptImages = (pool: Pool) => ({
  /** Keeps the picture for a new grace period. Returns false while its files are being deleted. */
  keep: async (name: string): Promise<boolean> => {
    const job = { key: name, data: {}, afterSeconds: GRACE_SECONDS };
    return (await enqueue(pool, pictures, [job], { again: true, unless: GOES })).rowCount === 1;
  },
  /** Whether the picture is still kept, and not being deleted. */
  stays: async (name: string): Promise<boolean> => (await pool.query(STAYS, [pictures.name, name])).rowCount === 1,
  /** Queues the deletion of the picture, even if it is referenced. */
  erase: (name: string) =>
    enqueue(pool, pictures, [{ key: name, data: { isUnnamed: true, isErased: true } }], { again: true }),
  /** Deletes erased pictures, and pictures that were unreferenced for the grace period. */
  startDeleting: (log: Logger, named: AskNamed, remove: (name: string) => Promise<void>): Worker =>
    startQueue({ pool, log }, pictures, async ({ key: name, data: { isErased, isUnnamed } }) => {
      if (!isErased) {
        const isNamed = (await named([name])).has(name);
        if (isNamed || !isUnnamed)
          return { againAfter: GRACE_SECONDS, data: isNamed ? {} : { isUnnamed: true as const } };
      }
      await remove(name);
      return { write: (tx) => tx.query(FORGET, [name]) };
    }),
});
