import type { Pool } from 'pg';
import type { ShownPrices } from '@beltway/contracts/ops/invariants';

/**
 * What events cost that sell tickets, from the event after `after` on: those of these days and to come, since nobody is charged for others.
 * What was changed within the last minute is left out: ticketing may not have heard of it.
 */
export async function shownPrices(
  pool: Pool,
  { after, limit }: { after: number; limit: number },
): Promise<ShownPrices> {
  const { rows } = await pool.query<{ event_id: number; price_cents: number; settled: boolean }>(
    `select l.event_id, l.price_cents, e.occurred_at < now() - interval '1 minute' as settled
     from listings l join events e on e.stream = 'event-' || l.event_id and e.version = l.version
     where l.event_id > $1 and l.status = 'published' and l.has_tickets and l.ticket_sales_enabled
       and l.price_cents is not null and l.capacity is not null and l.event_date > now() - interval '2 days'
     order by l.event_id limit $2`,
    [after, limit],
  );
  return {
    prices: rows
      .filter(({ settled }) => settled)
      .map(({ event_id, price_cents }) => ({ eventId: event_id, priceCents: price_cents })),
    next: rows.length === limit ? (rows.at(-1)?.event_id ?? null) : null,
  };
}
