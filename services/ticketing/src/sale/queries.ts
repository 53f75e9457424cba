import type { Queries } from '@beltway/event-store';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { ChargedPrices } from '@beltway/contracts/ops/invariants';
import type { TicketStats } from '@beltway/contracts/catalog/stats';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { anyOf, type Of } from '@beltway/kit/kysely';
import { kysely, statement } from '../db.ts';

const stockOf = statement((db, of: Of<{ eventIds: readonly number[] }>) =>
  db
    .selectFrom('availability')
    .select(['eventId', 'capacity', 'sold', 'held', 'version'])
    .where('eventId', '=', anyOf(of('eventIds'))),
);

/** Capacity, sold and held tickets of these sales. Unknown sales are left out. */
export async function availabilityOf(db: Queries, eventIds: number[]): Promise<Availability[]> {
  if (eventIds.length === 0) return [];
  const rows = await stockOf.rows(db, { eventIds });
  return rows.map(({ version, ...counts }) => ({ ...counts, version: Number(version) }));
}

/**
 * Sums over all events: tickets sold and not returned, the sum of their prices in dollars, and the number of events
 * that sell tickets.
 */
export async function ticketStats(db: Queries): Promise<TicketStats> {
  const { sold, cents, events } = await kysely(db)
    .selectFrom('availability')
    .select(({ fn }) => [
      fn.sum<string | null>('sold').as('sold'),
      fn.sum<string | null>('revenueCents').as('cents'),
      fn.countAll<string>().filterWhere('closed', 'is', null).as('events'),
    ])
    .executeTakeFirstOrThrow();
  return {
    totalTicketsSold: Number(sold),
    totalRevenue: centsToDollars(Number(cents)),
    totalEvents: Number(events),
  };
}

/**
 * The prices of these sales. The gateway compares them with the prices in the catalog, because no service reads the
 * database of another service.
 */
export async function chargedPrices(db: Queries, eventIds: number[]): Promise<ChargedPrices> {
  const rows = await kysely(db)
    .selectFrom('availability')
    .select(['eventId', 'priceCents', 'closed'])
    .where('eventId', '=', anyOf(eventIds))
    .execute();
  return { prices: rows.map(({ closed, ...price }) => ({ ...price, isClosed: closed !== null })) };
}

/** The number of tickets sold and not returned, for the events of one organizer or for all events. */
export async function ticketsSold(db: Queries, organizerId: number | null): Promise<number> {
  const { sold } = await kysely(db)
    .selectFrom('availability')
    .select(({ fn }) => fn.sum<string | null>('sold').as('sold'))
    .$if(organizerId !== null, (query) => query.where('organizerId', '=', organizerId))
    .executeTakeFirstOrThrow();
  return Number(sold);
}
