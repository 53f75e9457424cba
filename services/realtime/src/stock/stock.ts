import type { Availability } from '@beltway/contracts/ticketing';
import type { Queryable } from '@beltway/kit/postgres';
import type { Db } from '../db.ts';

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

/** Most instances begin with nothing to learn, and then need no typed client, which weighs 25 MB. */
export async function anyChangedSince(db: Queryable, since: Date): Promise<boolean> {
  const { rowCount } = await db.query('select from stock where changed_at > $1 limit 1', [since]);
  return rowCount === 1;
}

/** What changed since then, for an instance that begins. */
export async function changedSince(db: Db, since: Date): Promise<Availability[]> {
  const { stock } = await db();
  const rows = await stock.findMany({
    where: { changedAt: { gt: since } },
    orderBy: { changedAt: 'desc' },
    take: 10_000,
  });
  return rows.map(({ changedAt: _, version, ...state }) => ({ ...state, version: Number(version) }));
}
