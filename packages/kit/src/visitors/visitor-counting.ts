import { dayAt } from '@beltway/contracts/common/times';
import type { Logger } from '../observe/logger.ts';
import { startPolling } from '../polling.ts';
import { transaction, type Queryable } from '../postgres/pool.ts';
import { isbot } from 'isbot';
import type { Pool } from 'pg';
import { browserOf, digestOf, keyOfDay, type Visitor } from './visitors.ts';

export interface VisitorCounting<Note> {
  /**
   * What is noted of a visitor of this page, video or ad since the last batch, `first` when nothing is yet. Undefined for a program, and beyond
   * what waits at most: neither is counted.
   */
  noteOf(seen: string, by: Visitor, first: () => Note): Note | undefined;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  /** Drops the visitors of days gone by; answers whether there is more to drop. */
  forget(): Promise<boolean>;
  stop(): Promise<void>;
}

interface VisitorCountingOptions<Note> {
  pool: Pool;
  log: Logger;
  clock: () => Date;
  /** Where the digests of the visitors of a day are kept. */
  table: string;
  /** Counts what is new of a batch; answers how many visitors it added to the table. */
  count(tx: Queryable, day: string, batch: Array<Note & { digest: Buffer }>): Promise<number>;
  /** Forgets something else first. True: there is more. */
  forgetMore?: (today: string) => Promise<boolean>;
}

const FLUSH_MS = 2_000;
const FORGET_MS = 600_000;
/** Visitors who wait for the next batch; those beyond are not counted. */
const MAX_NOTED = 20_000;
/** Visitors whom one process keeps for a day, 100 to 150 bytes each; those beyond are not counted. */
const MAX_VISITORS_A_DAY = 1_000_000;
export const MAX_FORGOTTEN = 20_000;

/**
 * Counts visitors in batches, by the day. An address is in memory until its batch is written, and then nowhere: what is kept is a digest
 * whose key is gone after the day.
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
  /** Visitors that are kept for this day. */
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
      // A count is no promise: what cannot be written now is not kept for later. No buyer of an ad pays for what is missing.
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
