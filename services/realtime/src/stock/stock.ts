import type { Availability } from '@beltway/contracts/ticketing/tickets';
import type { RowOf } from '@beltway/kit/columns';
import type { Queryable } from '@beltway/kit/postgres';
import { stock } from './columns.ts';

const SAID = ['capacity', 'sold', 'held', 'version'] as const;
const KEEP = stock.insert(
  ['eventId', ...SAID],
  `${stock.onConflict(['eventId'], SAID)}, changed_at = now() where stock.version < excluded.version`,
);
const CHANGED = `select ${stock.select(['eventId', ...SAID])} from stock where changed_at > $1 order by changed_at desc limit 10000`;

/** Keeps the newest of what was heard, in whatever order and however often it comes. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query({ name: 'keep-stock', text: KEEP.text, values: KEEP.values(availability) });

/** What changed since then, for an instance that begins: up to ten thousand rows, and no typed client for them alone (25 MB). */
export async function changedSince(db: Queryable, since: Date): Promise<Availability[]> {
  const { rows } = await db.query<Omit<RowOf<typeof stock>, 'changedAt'>>(CHANGED, [since]);
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}
