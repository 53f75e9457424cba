import type { Pool } from 'pg';
import type { RowOf } from '@beltway/kit/columns';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { transaction } from '@beltway/kit/postgres';
import { listings } from '../generated/tables.ts';
import { indexListing } from '../search/catch-up.ts';
import type { FindLocation, Located } from './geocoder.ts';

const IDLE_MS = 5_000;
/** While one is asked for, no other instance asks for it. */
const CLAIM_SECONDS = 30;
/** With pauses of 10 s, doubling, an hour at most: a day. */
const MAX_ATTEMPTS = 32;

const CLAIM = `
  update located set attempts = attempts + 1, next_at = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
  where location = (select location from located where next_at <= now() order by next_at limit 1 for update skip locked)
  returning location, attempts`;
const THERE = `select ${listings.select(undefined, 'l')} from listings l
  where l.location = $1 and l.status in ('published', 'postponed') order by l.event_id for update of l`;

const DAY_MS = 24 * 3_600_000;
/** Questions cost money, and whoever publishes can make up addresses. */
const MAX_PER_DAY = 1_000;

/** Counts questions: so many in a day. */
export interface AskingBudget {
  hasRoom(): boolean;
  take(): void;
}
export function askingBudget(most: number, clock: () => number = () => performance.now()): AskingBudget {
  let since = clock();
  let taken = 0;
  return {
    hasRoom() {
      if (clock() - since >= DAY_MS) [since, taken] = [clock(), 0];
      return taken < most;
    },
    take: () => void taken++,
  };
}

export interface Locating {
  pool: Pool;
  log: Logger;
  find: FindLocation;
  /** Not set: as many as there are. */
  budget?: AskingBudget;
}

/** Keeps what was found, and places every event that is there, in one transaction. */
const keep = (pool: Pool, location: string, found: Located | null): Promise<void> =>
  transaction(pool, async (tx) => {
    await tx.query('update located set lat = $2, lon = $3, state = $4, next_at = null where location = $1', [
      location,
      found?.lat,
      found?.lon,
      found?.state,
    ]);
    if (!found) return;
    const { rows } = await tx.query<RowOf<typeof listings>>(THERE, [location]);
    for (const row of rows) await indexListing(tx, row);
  });

/** Asks for one location that waits. False when there was none, no answer, or today's questions are used up. */
export async function locateNext({ pool, log, find, budget }: Locating): Promise<boolean> {
  if (budget && !budget.hasRoom()) return false;
  const { rows } = await pool.query<{ location: string; attempts: number }>(CLAIM);
  const [claimed] = rows;
  if (!claimed) return false;
  budget?.take();
  const { location, attempts } = claimed;
  try {
    await keep(pool, location, await find(location));
  } catch (err) {
    log.warn({ err, attempts }, 'a location could not be asked for');
    const again = attempts < MAX_ATTEMPTS ? Math.min(10 * 2 ** (attempts - 1), 3_600) : null;
    await pool.query(
      `update located set next_at = now() + make_interval(secs => $2) where location = $1 and next_at is not null`,
      [location, again],
    );
    // Who does not answer now is not asked for the next one at once.
    return false;
  }
  return true;
}

/** Finds locations that the gazetteer does not know by the geocoding service, one after the other, in the background. */
export function startLocating(parts: Locating): Poller {
  const budget = askingBudget(MAX_PER_DAY);
  return startPolling(parts.log, 'find locations', IDLE_MS, () => locateNext({ ...parts, budget }));
}
