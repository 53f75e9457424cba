import type { Availability } from '@beltway/contracts/ticketing/tickets';
import type { Queryable } from '@beltway/kit/postgres';
import { stock } from '../generated/tables.ts';

const UPSERT = stock.insert(
  ['eventId', 'sold', 'held', 'version'],
  `${stock.onConflict(['eventId'], ['sold', 'held', 'version'])} where stock.version < excluded.version`,
);
/** Text: each sale writes it. Popularity follows in steps: most sales do not change it, and so write nothing there. */
const KEEP = {
  ...UPSERT,
  text: `with kept as (${UPSERT.text} returning event_id, search_popularity(sold) as popularity)
    update event_search e set popularity = kept.popularity from kept
    where e.event_id = kept.event_id and e.popularity <> kept.popularity`,
};

/** Keeps the newest of what was heard, in whatever order and however often it comes; heard before the event, it waits for it. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query({ name: 'keep-stock', text: KEEP.text, values: KEEP.values(availability) });
