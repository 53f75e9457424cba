import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { backoff } from '@beltway/kit/backoff';
import { enqueue, RUNS, startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { unavailable } from '@beltway/kit/problems';

/**
 * How long an upload may use a file before a row refers to the file, in seconds. Decoding, storing and appending take a
 * few seconds.
 */
export const KEPT_SECONDS = 3_600;

interface Keeper {
  /** The upload that reserves the file. */
  keeper?: string;
}
/** Deletes unreferenced files in storage. Keys are file names. */
const deletions = (name: string): Queue<Keeper> => ({
  ...{ name, maxAttempts: 30, pauseMs: backoff(30_000, 3_600_000) },
  // A job makes a few calls to the storage, each of which times out after 30 s.
  ...{ leaseSeconds: 60, concurrency: 10, keepsDone: false },
});
export const pictureDeletions = deletions('picture-file');
export const videoDeletions = deletions('video-file');

/**
 * SQL for projections: queues the deletion of files before the row that refers to them is deleted. A file stays if
 * another row refers to it, or for an hour if an upload is using it.
 */
export const deleteUnnamed = ({ name }: Queue<Keeper>, names: string): string =>
  `insert into jobs (queue, key) select '${name}', name from (${names}) n (name)
   on conflict (queue, key) do update set data = '{}', status = 'waiting', ended_at = null,
     again_at = case when jobs.lease is not null then now() end`;

/** Files in storage that are kept while a table refers to them (docs/decisions/0072). */
export interface KeptFiles {
  /**
   * Reserves a name for an hour, before its first file is written. Returns a function that the caller must call once a
   * row refers to the name. Throws 503 while files of this name are being deleted.
   */
  keep(name: string): Promise<() => Promise<void>>;
  /** Deletes files that no row refers to and no upload is using. */
  startDeleting(log: Logger, remove: (name: string) => Promise<void>): Worker;
}

interface KeptFilesOptions {
  pool: Pool;
  queue: Queue<Keeper>;
  /** A query that returns a row if something refers to the file `$1`. */
  namedBy: string;
  /** The kind of file. */
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
      // Plain SQL, because the jobs table belongs to the kit.
      const ours = `queue = $1 and key = $2 and data ->> 'keeper' = $3 and lease is null`;
      await pool.query(`delete from jobs where ${ours}`, [queue.name, name, keeper]);
    };
  },
  startDeleting: (log, remove) =>
    // No upload can reserve the file while its job runs.
    startQueue({ pool, log }, queue, async ({ key: name }) => {
      const { rowCount: isNamed } = await pool.query(namedBy, [name]);
      if (isNamed) return {};
      await remove(name);
      return forget ? { write: (tx) => forget(tx, name) } : {};
    }),
});
