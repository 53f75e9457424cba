import { sql, type NotNull } from 'kysely';
import type { Pool } from 'pg';
import type { ShownPrices } from '@beltway/contracts/ops/invariants';
import { kysely } from '../db.ts';

/**
 * What events cost that sell tickets, from the event after `after` on: those of these days and to come, since nobody is charged for others.
 * What was changed within the last minute is left out: ticketing may not have heard of it.
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
    .where('l.eventDate', '>', sql<Date>`now() - interval '2 days'`)
    .orderBy('l.eventId')
    .limit(limit)
    .$narrowType<{ priceCents: NotNull }>()
    .execute();
  return {
    prices: rows.filter(({ settled }) => settled).map(({ eventId, priceCents }) => ({ eventId, priceCents })),
    next: rows.length === limit ? (rows.at(-1)?.eventId ?? null) : null,
  };
}
