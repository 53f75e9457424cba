import type { Availability } from '@beltway/contracts/ticketing';
import type { Queryable } from '@beltway/kit/postgres';
import { stock } from './columns.ts';

const KEEP = stock.insert(
  ['eventId', 'sold', 'held', 'version'],
  `${stock.onConflict(['eventId'], ['sold', 'held', 'version'])} where stock.version < excluded.version`,
);

/** Keeps the newest of what was heard, in whatever order and however often it comes; heard before the event, it waits for it. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query({ name: 'keep-stock', text: KEEP.text, values: KEEP.values(availability) });
