import { sql, type NotNull } from 'kysely';
import type { Pool } from 'pg';
import type { ShownPrices } from '@beltway/contracts/ops/invariants';
import { kysely } from '../db.ts';
import { LAST_DATE } from './queries.ts';

/**
 * A part of the list of prices of events that sell tickets, sorted by event id and beginning after the id `after`.
 * Leaves out events that ended over two days ago, because they sell nothing. Leaves out events changed in the last
 * minute, because ticketing may not have received the change.
 */
export async function shownPrices(
  pool: Pool,
  { after, limit }: { after: number; limit: number },
): Promise<ShownPrices> {
  const rows = await kysely(pool)
    .selectFrom('listings as l')
    .innerJoin(sql<{ stream: string; version: number; occurredAt: Date }>`events`.as('e'), (join) =>
      join.on('e.stream', '=', sql<string>`'event-' || l.event_id`).onRef('e.version', '=', 'l.version'),
    )
    .select(['l.eventId', 'l.priceCents', sql<boolean>`e.occurred_at < now() - interval '1 minute'`.as('settled')])
    .where('l.eventId', '>', after)
    .where('l.status', '=', 'published')
    .where('l.hasTickets', '=', true)
    .where('l.ticketSalesEnabled', '=', true)
    .where('l.priceCents', 'is not', null)
    .where('l.capacity', 'is not', null)
    .where(sql.raw<Date>(LAST_DATE), '>', sql<Date>`now() - interval '2 days'`)
    .orderBy('l.eventId')
    .limit(limit)
    .$narrowType<{ priceCents: NotNull }>()
    .execute();
  return {
    prices: rows.filter(({ settled }) => settled).map(({ eventId, priceCents }) => ({ eventId, priceCents })),
    next: rows.length === limit ? (rows.at(-1)?.eventId ?? null) : null,
  };
}
