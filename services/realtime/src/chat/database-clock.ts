import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

export interface DatabaseClock {
  /** The database's time, the same for every instance. Read once, then extrapolated. */
  now(): Date;
  /** Reads the database's time again, because the clock of this process drifts. */
  sync(): Promise<Date>;
}

/** How long `now` extrapolates before the time is read again. */
const SYNC_MS = 60_000;

/** The clock for times that instances compare with each other, because the clocks of their machines may differ. */
export async function databaseClock(db: Queryable): Promise<DatabaseClock> {
  let time = 0;
  let at = -Infinity;
  async function sync(): Promise<Date> {
    const began = performance.now();
    const { now } = await kysely(db)
      .selectNoFrom(({ fn }) => fn<Date>('clock_timestamp').as('now'))
      .executeTakeFirstOrThrow();
    const ended = performance.now();
    time = now.getTime();
    at = (began + ended) / 2;
    return now;
  }
  await sync();
  return {
    now: () => {
      const passed = performance.now() - at;
      if (passed > SYNC_MS) sync().catch(() => undefined); // the next call retries
      return new Date(time + passed);
    },
    sync,
  };
}
