import type { Availability } from '@beltway/contracts/ticketing';
import { table } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';

export const stock = table('stock', { eventId: 'int4', sold: 'int4', held: 'int4', version: 'int8' });

const KEEP = stock.insert(
  ['eventId', 'sold', 'held', 'version'],
  `${stock.onConflict(['eventId'], ['sold', 'held', 'version'])} where stock.version < excluded.version`,
);

/** Keeps the newest of what was heard, in whatever order and however often it comes; heard before the event, it waits for it. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query({ name: 'keep-stock', text: KEEP.text, values: KEEP.values(availability) });
