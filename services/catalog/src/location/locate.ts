import type { Pool } from 'pg';
import type { RowOf } from '@beltway/kit/columns';
import type { Logger } from '@beltway/kit/logger';
import { startPolling, type Poller } from '@beltway/kit/polling';
import { transaction } from '@beltway/kit/postgres';
import { listings } from '../event/columns.ts';
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

export interface Locating {
  pool: Pool;
  log: Logger;
  find: FindLocation;
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

/** Asks for one location that waits. False when there was none, or no answer. */
export async function locateNext({ pool, log, find }: Locating): Promise<boolean> {
  const { rows } = await pool.query<{ location: string; attempts: number }>(CLAIM);
  const [claimed] = rows;
  if (!claimed) return false;
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
export const startLocating = (parts: Locating): Poller =>
  startPolling(parts.log, 'find locations', IDLE_MS, () => locateNext(parts));
