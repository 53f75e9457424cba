import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { prepared } from '@beltway/event-store';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { stock } from '../generated/tables.ts';

const SAID = ['capacity', 'sold', 'held', 'version'] as const;
// Made once: building it for each of thousands of messages a second costs about 100 µs of processor time.
const KEEP = stock.insert(
  ['eventId', ...SAID],
  `${stock.onConflict(['eventId'], SAID)}, changed_at = now() where stock.version < excluded.version`,
);

/** Keeps the newest of what was heard, in whatever order and however often it comes. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query(prepared(KEEP.text, KEEP.values(availability)));

/** What changed since then, for an instance that begins: up to ten thousand rows. */
export async function changedSince(db: Queryable, since: Date): Promise<Availability[]> {
  const rows = await kysely(db)
    .selectFrom('stock')
    .select(['eventId', ...SAID])
    .where('changedAt', '>', since)
    .orderBy('changedAt', 'desc')
    .limit(10_000)
    .execute();
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}
