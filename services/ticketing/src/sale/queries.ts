import type { Queries } from '@beltway/event-store';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { ChargedPrices } from '@beltway/contracts/ops/invariants';
import type { RowOf } from '@beltway/kit/columns';
import type { TicketStats } from '@beltway/contracts/catalog/stats';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { availability } from '../columns.ts';

const COUNTS = ['eventId', 'capacity', 'sold', 'held', 'version'] as const;
type Row = Pick<RowOf<typeof availability>, (typeof COUNTS)[number]>;
const STOCK = `select ${availability.select(COUNTS)} from availability where event_id = any($1::int[])`;

/** Capacity, sold and held of these sales, as far as they are there. */
export async function availabilityOf(db: Queries, eventIds: number[]): Promise<Availability[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await db.query<Row>(STOCK, [eventIds]);
  return rows.map(({ version, ...counts }) => ({ ...counts, version: Number(version) }));
}

/** Over all events: tickets sold and not returned, their price in dollars, and events that sell tickets. */
export async function ticketStats(db: Queries): Promise<TicketStats> {
  const { rows } = await db.query<{ sold: string; cents: string; events: string }>({
    name: 'ticket-stats',
    text: `select coalesce(sum(sold), 0) as sold, coalesce(sum(revenue_cents), 0) as cents, count(*) filter (where closed is null) as events from availability`,
    values: [],
  });
  const [row] = rows;
  return {
    totalTicketsSold: Number(row?.sold ?? 0),
    totalRevenue: centsToDollars(Number(row?.cents ?? 0)),
    totalEvents: Number(row?.events ?? 0),
  };
}

/**
 * What these sales charge: the gateway compares it with what the catalog shows, since no service reads another's
 * database.
 */
export async function chargedPrices(db: Queries, eventIds: number[]): Promise<ChargedPrices> {
  const { rows } = await db.query<{ event_id: number; price_cents: number; closed: string | null }>(
    'select event_id, price_cents, closed from availability where event_id = any($1::int[])',
    [eventIds],
  );
  return {
    prices: rows.map(({ event_id, price_cents, closed }) => ({
      eventId: event_id,
      priceCents: price_cents,
      isClosed: closed !== null,
    })),
  };
}

/** Tickets sold and not returned, of one organiser's events or of all. */
export async function ticketsSold(db: Queries, organiserId: number | null): Promise<number> {
  const { rows } = await db.query<{ sold: string }>(
    'select coalesce(sum(sold), 0) as sold from availability where $1::int is null or organiser_id = $1',
    [organiserId],
  );
  return Number(rows[0]?.sold ?? 0);
}
