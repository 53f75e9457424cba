import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { backoff } from '@beltway/kit/backoff';
import { startQueue, type Queue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { LOOKUPS } from '../event/place.ts';
import { kysely } from '../db.ts';
import { indexListing } from '../search/catch-up.ts';
import type { FindLocation, Located } from './geocoder.ts';

/**
 * The queue of lookups; keys are locations. Failed lookups are retried for about a day. Completed jobs stay, so that no
 * location is looked up twice.
 */
const lookups: Queue<object> = {
  ...{ name: LOOKUPS, maxAttempts: 32, pauseMs: backoff(10_000, 3_600_000) },
  ...{ leaseSeconds: 30, concurrency: 1, keepsDone: true },
};
/** Pause after a failed call of the service. */
const REST_MS = 5_000;

const DAY_MS = 24 * 3_600_000;
/** Maximum lookups per day. There is a limit because lookups cost money and organizers can invent locations. */
const MAX_PER_DAY = 1_000;

/** Counts the lookups of the current day. */
export interface LookupBudget {
  /** Uses one lookup and returns 0. If none is left, returns the milliseconds until the next lookup is available. */
  take(): number;
}
export function lookupBudget(max: number, clock: () => number = () => performance.now()): LookupBudget {
  let since = clock();
  let taken = 0;
  return {
    take() {
      if (clock() - since >= DAY_MS) [since, taken] = [clock(), 0];
      if (taken >= max) return since + DAY_MS - clock();
      taken++;
      return 0;
    },
  };
}

export interface Locating {
  pool: Pool;
  log: Logger;
  /** Calls the geocoding service. undefined if no service is configured; then lookups wait. */
  find: FindLocation | undefined;
  budget?: LookupBudget;
  restMs?: number;
}

/** Stores the result and updates all existing events at the location. */
async function place(tx: PoolClient, location: string, { lat, lon, state }: Located): Promise<void> {
  const db = kysely(tx);
  await db
    .insertInto('located')
    .values({ location, lat, lon, state })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows = await db
    .selectFrom('listings')
    .selectAll()
    .where('location', '=', location)
    .where('status', 'in', ['published', 'postponed'])
    .orderBy('eventId')
    .forUpdate()
    .execute();
  for (const row of rows) await indexListing(tx, row);
}

/**
 * Starts the worker that requests locations from the geocoding service, one at a time, if the gazetteer does not have
 * them.
 */
export const startLocating = ({
  pool,
  log,
  find,
  budget = lookupBudget(MAX_PER_DAY),
  restMs = REST_MS,
}: Locating): Worker =>
  startQueue({ pool, log }, lookups, async ({ key: location, signal }) => {
    const waitMs = find ? budget.take() : DAY_MS;
    if (!find || waitMs > 0) return { againAfter: waitMs / 1_000 };
    const found = await find(location).catch(async (error) => {
      await pause(restMs, undefined, { signal });
      throw error;
    });
    return found ? { write: (tx) => place(tx, location, found) } : {};
  });
