import { centsToDollars } from '@beltway/contracts/common/basics';
import type { CustomerTotals } from '@beltway/contracts/ticketing/customers';
import type { OrderAnalytics } from '@beltway/contracts/payments/platform';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { IN_PAID_STATES } from '../order/status.ts';
import type { Scope } from './queries.ts';

/** How long sums over all orders are cached. The website requests them every 30 s. */
const FRESH_MS = 10_000;
const MAX_KEPT = 500;

/** Caches the sum of a scope for `FRESH_MS`; concurrent callers share one query. */
function summed<Sum>(sum: (scope: Scope) => Promise<Sum>, now: () => number): (scope: Scope) => Promise<Sum> {
  const kept = new Map<number | null, { made: Promise<Sum>; until: number }>();
  return (scope) => {
    const known = kept.get(scope.organizerId);
    if (known && known.until > now()) return known.made;
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    const made = sum(scope);
    const entry = { made, until: now() + FRESH_MS };
    kept.delete(scope.organizerId);
    kept.set(scope.organizerId, entry);
    // A failure is not cached.
    made.catch(() => kept.get(scope.organizerId) === entry && kept.delete(scope.organizerId));
    return made;
  };
}

/**
 * Totals of orders that have valid tickets. Plain SQL, like the next query, because the query builder's form is longer
 * and harder to read.
 */
const totals = async (db: Queryable, { organizerId }: Scope): Promise<CustomerTotals> => {
  const own = sql<boolean>`o.event_id in (select event_id from listings where organizer_id = ${organizerId})`;
  const { rows } = await sql<{ orders: number; buyers: number; tickets: number; cents: string }>`
    select coalesce(sum(orders), 0)::int as orders, count(buyer)::int as buyers, coalesce(sum(tickets), 0)::int as tickets,
      coalesce(sum(cents), 0) as cents
    from (
      select coalesce(nullif(lower(c.holder_email), ''), 'account ' || o.buyer_id) as buyer, count(*) as orders,
        sum(o.quantity - o.returned) as tickets, sum(o.total_cents - o.returned_cents) as cents
      from orders o left join checkouts c using (order_id)
      where o.status = 'fulfilled' and not o.is_void and ${organizerId === null ? sql.lit(true) : own}
      group by 1
    ) by_buyer`.execute(kysely(db));
  const { orders, buyers, tickets, cents } = rows[0]!;
  return {
    uniqueBuyers: buyers,
    totalRevenue: centsToDollars(Number(cents)),
    totalTickets: tickets,
    averageOrderValue: orders === 0 ? 0 : centsToDollars(Number(cents) / orders),
  };
};

/**
 * Counts holds and paid orders for each organizer. Every hold creates an order, so the number of holds is the number of
 * all orders.
 */
const counts = async (db: Queryable): Promise<Map<number, OrderAnalytics>> => {
  const { rows } = await sql<OrderAnalytics & { organizerId: number }>`
    select l.organizer_id, sum(holds)::int as holds, sum(paid)::int as paid
    from (
      select event_id, count(*) as holds, count(*) filter (where status in ${IN_PAID_STATES}) as paid from orders group by event_id
    ) o join listings l using (event_id) group by 1`.execute(kysely(db));
  return new Map(rows.map(({ organizerId, ...sum }) => [organizerId, sum]));
};

export interface Totals {
  customers(scope: Scope): Promise<CustomerTotals>;
  orders(scope: Scope): Promise<OrderAnalytics>;
}

export function openTotals(db: Queryable, now: () => number): Totals {
  // One scan of all orders provides the counts of all organizers.
  const all = summed(() => counts(db), now);
  return {
    customers: summed((scope) => totals(db, scope), now),
    orders: async ({ organizerId }) => {
      const by = await all({ organizerId: null });
      if (organizerId !== null) return by.get(organizerId) ?? { holds: 0, paid: 0 };
      const sums = [...by.values()];
      return {
        holds: sums.reduce((sum, { holds }) => sum + holds, 0),
        paid: sums.reduce((sum, { paid }) => sum + paid, 0),
      };
    },
  };
}
