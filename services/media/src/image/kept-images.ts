import type { Pool } from 'pg';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, RUNS, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';

/**
 * How long a picture stays after an upload, and after nobody names it any longer, in seconds: a catalog that is restored to a moment of these
 * days still finds the pictures that it names (docs/operations/backup.md).
 */
const GRACE_SECONDS = 30 * 24 * 3_600;

/** Which of these pictures are named by somebody: an event, an ad, or a series that is being published. */
export type AskNamed = (names: readonly string[]) => Promise<ReadonlySet<string>>;

interface Kept {
  /** Nobody named it at the end of its last grace. */
  isUnnamed?: true;
  /** It is deleted, whoever names it. */
  isErased?: true;
}
/** A job for each picture of events in storage: at the end of its grace it asks who names it. Keys are their names. */
const pictures: Queue<Kept> = {
  ...{ name: 'event-picture', maxAttempts: 30, pauseMs: backoff(30_000, 3_600_000) },
  ...{ leaseSeconds: 60, concurrency: 10, keepsDone: false },
};
/** SQL: its files are being deleted, or will be. From the last question on nobody can keep it, so that the answer holds. */
const GOES = `(jobs.data ? 'isErased' or jobs.data ? 'isUnnamed' and ${RUNS})`;
// Text, as jobs are a table of the kit.
const STAYS = `select from jobs where queue = $1 and key = $2 and not ${GOES}`;
/** Deletes what is known of the bytes it was made of. Text: a name is two columns, put together. */
const FORGET = `with sent as (
    delete from images where hash = split_part($1, '-', 1) and coalesce(tint, '') = split_part($1, '-', 2) returning source_hash)
  delete from further_uploads f using sent where f.source_hash = sent.source_hash`;

/** Pictures of events in storage, and until when they stay (docs/decisions/0072). */
export const keptImages = (pool: Pool) => ({
  /** From now on it stays for the time of grace. Returns whether it does: not while its files are being deleted. */
  keep: async (name: string): Promise<boolean> => {
    const job = { key: name, data: {}, afterSeconds: GRACE_SECONDS };
    return (await enqueue(pool, pictures, [job], { again: true, unless: GOES })).rowCount === 1;
  },
  /** Whether it has stayed since it was kept. */
  stays: async (name: string): Promise<boolean> => (await pool.query(STAYS, [pictures.name, name])).rowCount === 1,
  /** Deletes it soon, whoever names it. */
  erase: (name: string) =>
    enqueue(pool, pictures, [{ key: name, data: { isUnnamed: true, isErased: true } }], { again: true }),
  /** Deletes what nobody has named for the time of grace, and what is erased. */
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
