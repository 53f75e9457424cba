import type { Availability } from '@beltway/contracts/ticketing/tickets';
import type { Queryable } from '@beltway/kit/postgres';
import { stock } from '../generated/tables.ts';

const UPSERT = stock.insert(
  ['eventId', 'sold', 'held', 'version'],
  `${stock.onConflict(['eventId'], ['sold', 'held', 'version'])} where stock.version < excluded.version`,
);
/** Plain SQL, because every sale runs it. Popularity changes in steps, so only a few sales update `event_search`. */
const KEEP = {
  ...UPSERT,
  text: `with kept as (${UPSERT.text} returning event_id, search_popularity(sold) as popularity)
    update event_search e set popularity = kept.popularity from kept
    where e.event_id = kept.event_id and e.popularity <> kept.popularity`,
};

/**
 * Stores the latest stock. Messages may arrive in any order, several times, and before the message about their event.
 */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query({ name: 'keep-stock', text: KEEP.text, values: KEEP.values(availability) });
