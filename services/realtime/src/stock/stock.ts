import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { prepared } from '@beltway/event-store';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';
import { stock } from '../generated/tables.ts';

const SAID = ['capacity', 'sold', 'held', 'version'] as const;
// Built once, because building this statement for each of thousands of messages a second costs about 100 µs of CPU
// time.
const KEEP = stock.insert(
  ['eventId', ...SAID],
  `${stock.onConflict(['eventId'], SAID)}, changed_at = now() where stock.version < excluded.version`,
);

/** Saves the newest state. Messages may arrive in any order and repeatedly. */
export const keepStock = (db: Queryable, availability: Availability) =>
  db.query(prepared(KEEP.text, KEEP.values(availability)));

/** Changes after `since`, for an instance that starts: up to ten thousand rows. */
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
