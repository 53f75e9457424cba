import type { Pool } from 'pg';
import { silent, type BusLog } from '../bus/bus.ts';

export interface Clock {
  now(): Date;
  stop(): void;
}

const LOOK_MS = 30_000;
/** A query that takes longer than this, in ms, is not precise enough to compare clocks. */
const SLOW_MS = 500;

/**
 * The database's time. Instances must agree on when a hold lapses: an instance whose clock is an hour ahead would end
 * all holds. Between comparisons, this clock follows a monotonic clock, so that changes of the machine's clock have no
 * effect.
 */
export async function databaseClock(pool: Pool, log: Pick<BusLog, 'warn'> = silent): Promise<Clock> {
  let offset: number | undefined;

  async function look(): Promise<void> {
    const sent = performance.now();
    const { rows } = await pool.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms');
    const came = performance.now();
    if (offset === undefined || came - sent < SLOW_MS) offset = Number(rows[0]?.ms) - (sent + came) / 2;
  }

  await look();
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'the clock was not compared with the database’s'));
  }, LOOK_MS).unref();
  return { now: () => new Date((offset ?? 0) + performance.now()), stop: () => clearInterval(timer) };
}
