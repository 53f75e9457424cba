import type { Availability } from '@beltway/contracts/ticketing';
import type { Queryable } from '@beltway/kit/postgres';

/** Keeps the newest of what was heard, in whatever order and however often it comes; heard before the event, it waits for it. */
export const keepStock = (db: Queryable, { eventId, sold, held, version }: Availability) =>
  db.query({
    name: 'keep-stock',
    text: `insert into stock (event_id, sold, held, version) values ($1, $2, $3, $4)
           on conflict (event_id) do update set sold = excluded.sold, held = excluded.held, version = excluded.version
           where stock.version < excluded.version`,
    values: [eventId, sold, held, version],
  });
