import type { Availability } from '@beltway/contracts/ticketing';
import type { Queryable } from '@beltway/kit/postgres';

/** Keeps the newest of what was heard, in whatever order and however often it comes. */
export const keepStock = (db: Queryable, { eventId, capacity, sold, held, version }: Availability) =>
  db.query({
    name: 'keep-stock',
    text: `insert into stock (event_id, capacity, sold, held, version) values ($1, $2, $3, $4, $5)
           on conflict (event_id) do update
           set capacity = excluded.capacity, sold = excluded.sold, held = excluded.held, version = excluded.version, changed_at = now()
           where stock.version < excluded.version`,
    values: [eventId, capacity, sold, held, version],
  });

/** What changed since then, for an instance that begins: up to ten thousand rows, and no typed client for them alone (25 MB). */
export async function changedSince(db: Queryable, since: Date): Promise<Availability[]> {
  const { rows } = await db.query<Omit<Availability, 'version'> & { version: string }>(
    `select event_id as "eventId", capacity, sold, held, version from stock
     where changed_at > $1 order by changed_at desc limit 10000`,
    [since],
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}
