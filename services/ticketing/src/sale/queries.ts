import type { Queries } from '@beltway/event-store';
import { centsToDollars } from '@beltway/contracts/common/basics';
import type { ChargedPrices } from '@beltway/contracts/ops/invariants';
import type { TicketStats } from '@beltway/contracts/catalog/stats';
import type { Availability } from '@beltway/contracts/ticketing/tickets';
import { anyOf } from '@beltway/kit/kysely';
import { builtOnce, kysely } from '../db.ts';

const stockOf = builtOnce((db, eventIds: readonly number[]) =>
  db
    .selectFrom('availability')
    .select(['eventId', 'capacity', 'sold', 'held', 'version'])
    .where('eventId', '=', anyOf(eventIds)),
);

/** Capacity, sold and held of these sales, as far as they are there. */
export async function availabilityOf(db: Queries, eventIds: number[]): Promise<Availability[]> {
  if (eventIds.length === 0) return [];
  const rows = await stockOf(db, eventIds);
  return rows.map(({ version, ...counts }) => ({ ...counts, version: Number(version) }));
}

/** Over all events: tickets sold and not returned, their price in dollars, and events that sell tickets. */
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
 * What these sales charge: the gateway compares it with what the catalog shows, since no service reads another's
 * database.
 */
export async function chargedPrices(db: Queries, eventIds: number[]): Promise<ChargedPrices> {
  const rows = await kysely(db)
    .selectFrom('availability')
    .select(['eventId', 'priceCents', 'closed'])
    .where('eventId', '=', anyOf(eventIds))
    .execute();
  return { prices: rows.map(({ closed, ...price }) => ({ ...price, isClosed: closed !== null })) };
}

/** Tickets sold and not returned, of one organizer's events or of all. */
export async function ticketsSold(db: Queries, organizerId: number | null): Promise<number> {
  const { sold } = await kysely(db)
    .selectFrom('availability')
    .select(({ fn }) => fn.sum<string | null>('sold').as('sold'))
    .$if(organizerId !== null, (query) => query.where('organizerId', '=', organizerId))
    .executeTakeFirstOrThrow();
  return Number(sold);
}
