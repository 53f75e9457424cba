import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, RUNS, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { unavailable } from '@beltway/kit/problems';

/** How long an upload may need a file that nothing names yet, in seconds. Decoding, storing and appending take seconds. */
export const KEPT_SECONDS = 3_600;

interface Keeper {
  /** The upload that keeps the file. */
  keeper?: string;
}
/** Deletes files in storage that nothing names. Keys are their names. */
const deletions = (name: string): Queue<Keeper> => ({
  ...{ name, maxAttempts: 30, pauseMs: backoff(30_000, 3_600_000) },
  // A few calls to the storage, which gives each up after 30 s.
  ...{ leaseSeconds: 60, concurrency: 10, keepsDone: false },
});
export const pictureDeletions = deletions('picture-file');
export const videoDeletions = deletions('video-file');

/**
 * SQL for projections: queues the deletion of files before the row that names them goes. What else names a file keeps it, and so does an
 * upload for its hour.
 */
export const deleteUnnamed = ({ name }: Queue<Keeper>, names: string): string =>
  `insert into jobs (queue, key) select '${name}', name from (${names}) n (name)
   on conflict (queue, key) do update set data = '{}', status = 'waiting', ended_at = null,
     again_at = case when jobs.lease is not null then now() end`;

/** Files in storage that are kept as long as a table names them (docs/decisions/0072). */
export interface KeptFiles {
  /**
   * Keeps a name for an hour, before its first file is written. Returns what is called when something names it. Throws 503 while its files
   * are being deleted.
   */
  keep(name: string): Promise<() => Promise<void>>;
  /** Deletes files that nothing names and no upload keeps. */
  startDeleting(log: Logger, remove: (name: string) => Promise<void>): Worker;
}

interface KeptFilesOptions {
  pool: Pool;
  queue: Queue<Keeper>;
  /** A query that finds a row if something names the file `$1`. */
  namedBy: string;
  /** What is deleted. */
  what: 'picture' | 'video';
  /** Called in the transaction that ends a deletion. */
  forget?: (tx: PoolClient, name: string) => Promise<unknown>;
}

export const keptFiles = ({ pool, queue, namedBy, what, forget }: KeptFilesOptions): KeptFiles => ({
  async keep(name) {
    const keeper = randomUUID();
    const job = { key: name, data: { keeper }, afterSeconds: KEPT_SECONDS };
    const { rowCount } = await enqueue(pool, queue, [job], { again: true, unless: RUNS });
    if (rowCount === 0) throw unavailable(`${what}-deleted`, 60);
    return async () => {
      // Text, as jobs are a table of the kit.
      const ours = `queue = $1 and key = $2 and data ->> 'keeper' = $3 and lease is null`;
      await pool.query(`delete from jobs where ${ours}`, [queue.name, name, keeper]);
    };
  },
  startDeleting: (log, remove) =>
    // No upload can keep the file while its job runs.
    startQueue({ pool, log }, queue, async ({ key: name }) => {
      const { rowCount: isNamed } = await pool.query(namedBy, [name]);
      if (isNamed) return {};
      await remove(name);
      return forget ? { write: (tx) => forget(tx, name) } : {};
    }),
});
