import { dayAt } from '@beltway/contracts/common/times';
import type { Logger } from '../observe/logger.ts';
import { startPolling } from '../polling.ts';
import { transaction, type Queryable } from '../postgres/pool.ts';
import { isbot } from 'isbot';
import type { Pool } from 'pg';
import { browserOf, digestOf, keyOfDay, type Visitor } from './visitors.ts';

export interface VisitorCounting<Note> {
  /**
   * The current batch's entry for a visitor of this page, video or ad; `first` creates it. Undefined for a bot or if
   * the batch is full; such a visitor is not counted.
   */
  noteOf(seen: string, by: Visitor, first: () => Note): Note | undefined;
  /** Writes the current batch. */
  flush(): Promise<void>;
  /** Deletes visitors of past days. Returns true if there are more. */
  forget(): Promise<boolean>;
  stop(): Promise<void>;
}

interface VisitorCountingOptions<Note> {
  pool: Pool;
  log: Logger;
  clock: () => Date;
  /** The table with the digests of each day's visitors. */
  table: string;
  /** Counts the new visitors of a batch. Returns the number of visitors that were added to the table. */
  count(tx: Queryable, day: string, batch: Array<Note & { digest: Buffer }>): Promise<number>;
  /** Deletes other data before the visitors. Returns true if there is more data to delete. */
  forgetMore?: (today: string) => Promise<boolean>;
}

const FLUSH_MS = 2_000;
const FORGET_MS = 600_000;
/** Maximum number of visitors in a batch. Further visitors are not counted. */
const MAX_NOTED = 20_000;
/**
 * Maximum number of visitors that one process stores per day, at 100 to 150 bytes each. Further visitors are not
 * counted.
 */
const MAX_VISITORS_A_DAY = 1_000_000;
export const MAX_FORGOTTEN = 20_000;

/**
 * Counts visitors per day, in batches. An IP address stays in memory only until its batch is written. The database
 * stores a digest, whose key is deleted after the day.
 */
export function openVisitorCounting<Note extends object>({
  pool,
  log,
  clock,
  table,
  count,
  forgetMore,
}: VisitorCountingOptions<Note>): VisitorCounting<Note> {
  let noted = new Map<string, Note>();
  let flushing = Promise.resolve();
  /** Number of visitors that this process has stored on this day. */
  let kept: { day: string; count: number } | undefined;

  async function write(batch: Array<[visitor: string, note: Note]>): Promise<void> {
    const day = dayAt(clock());
    if (kept?.day !== day) {
      const { rows } = await pool.query<{ count: number }>({
        name: `count-${table}`,
        text: `select count(*)::int as count from ${table} where day = $1`,
        values: [day],
      });
      kept = { day, count: rows[0]!.count };
    }
    const room = MAX_VISITORS_A_DAY - kept.count;
    if (room < batch.length) log.warn({ table, day, passedOver: batch.length - room }, 'too many visitors today');
    const counted = batch.slice(0, Math.max(0, room));
    if (counted.length === 0) return;
    const key = await keyOfDay(pool, day);
    const digested = counted.map(([visitor, note]) => ({ ...note, digest: digestOf(key, visitor) }));
    kept.count += await transaction(pool, (tx) => count(tx, day, digested));
  }

  const flush = (): Promise<void> => {
    const run = async () => {
      const batch = [...noted];
      noted = new Map();
      // Counting is best effort: a batch that cannot be written is dropped. Buyers of ads do not pay for missing views.
      if (batch.length > 0)
        await write(batch).catch((err: unknown) => log.warn({ err, table }, 'visitors were not counted'));
    };
    return (flushing = flushing.then(run));
  };

  async function forget(): Promise<boolean> {
    const today = dayAt(clock());
    const isMore = (await forgetMore?.(today)) ?? false;
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where day < $1 limit ${MAX_FORGOTTEN}))`,
      [today],
    );
    return isMore || rowCount === MAX_FORGOTTEN;
  }

  const flusher = setInterval(() => void flush(), FLUSH_MS).unref();
  const forgetter = startPolling(log, `forget ${table}`, FORGET_MS, forget);
  forgetter.wake();
  return {
    noteOf(seen, { network, userAgent }, first) {
      if (!userAgent || isbot(userAgent)) return undefined;
      const visitor = `${seen} ${network} ${browserOf(userAgent)}`;
      const known = noted.get(visitor);
      if (known || noted.size >= MAX_NOTED) return known;
      const note = first();
      noted.set(visitor, note);
      return note;
    },
    flush,
    forget,
    async stop() {
      clearInterval(flusher);
      await forgetter.stop();
      await flush();
    },
  };
}
