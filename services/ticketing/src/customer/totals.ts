import { centsToDollars } from '@beltway/contracts/common/basics';
import type { CustomerTotals } from '@beltway/contracts/ticketing/customers';
import type { OrderAnalytics } from '@beltway/contracts/payments/platform';
import type { Queryable } from '@beltway/kit/postgres';
import { sql } from 'kysely';
import { kysely } from '../db.ts';
import { IN_PAID_STATES } from '../order/status.ts';
import type { Scope } from './queries.ts';

/** Sums over all orders are made anew after so long, however many ask: pages ask every 30 s. */
const FRESH_MS = 10_000;
const MAX_KEPT = 500;

/** Answers what `sum` says of a scope, made once for all who ask within `FRESH_MS`, and once at a time. */
function summed<Sum>(sum: (scope: Scope) => Promise<Sum>, now: () => number): (scope: Scope) => Promise<Sum> {
  const kept = new Map<number | null, { made: Promise<Sum>; until: number }>();
  return (scope) => {
    const known = kept.get(scope.organiserId);
    if (known && known.until > now()) return known.made;
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    const made = sum(scope);
    const entry = { made, until: now() + FRESH_MS };
    kept.delete(scope.organiserId);
    kept.set(scope.organiserId, entry);
    // What failed is asked for anew.
    made.catch(() => kept.get(scope.organiserId) === entry && kept.delete(scope.organiserId));
    return made;
  };
}

/** Purchases whose money stands. */
const totals = async (db: Queryable, { organiserId }: Scope): Promise<CustomerTotals> => {
  const { orders, buyers, tickets, cents } = await kysely(db)
    .selectFrom((eb) =>
      eb
        .selectFrom('orders as o')
        .leftJoin('checkouts as c', 'c.orderId', 'o.orderId')
        .select(({ fn }) => [
          sql<string | null>`coalesce(nullif(lower(c.holder_email), ''), 'account ' || o.buyer_id)`.as('buyer'),
          fn.countAll<string>().as('orders'),
          sql<string>`sum(o.quantity - o.returned)`.as('tickets'),
          sql<string>`sum(o.total_cents - o.returned_cents)`.as('cents'),
        ])
        .where('o.status', '=', sql.lit('fulfilled'))
        .where('o.isVoid', '=', sql.lit(false))
        .$if(organiserId !== null, (query) =>
          query.where(
            'o.eventId',
            'in',
            eb.selectFrom('listings').select('eventId').where('organiserId', '=', organiserId),
          ),
        )
        .groupBy('buyer')
        .as('byBuyer'),
    )
    .select(({ fn }) => [
      fn.sum<string | null>('orders').as('orders'),
      fn.count<string>('buyer').as('buyers'),
      fn.sum<string | null>('tickets').as('tickets'),
      fn.sum<string | null>('cents').as('cents'),
    ])
    .executeTakeFirstOrThrow();
  return {
    uniqueBuyers: Number(buyers),
    totalRevenue: centsToDollars(Number(cents)),
    totalTickets: Number(tickets),
    averageOrderValue: Number(orders) === 0 ? 0 : centsToDollars(Number(cents) / Number(orders)),
  };
};

/** Every hold makes an order, so these are all orders there are. */
const counts = async (db: Queryable): Promise<Map<number, OrderAnalytics>> => {
  const rows = await kysely(db)
    .selectFrom((eb) =>
      eb
        .selectFrom('orders')
        .select(({ fn }) => [
          'eventId',
          fn.countAll<string>().as('holds'),
          fn.countAll<string>().filterWhere('status', 'in', IN_PAID_STATES).as('paid'),
        ])
        .groupBy('eventId')
        .as('o'),
    )
    .innerJoin('listings as l', 'l.eventId', 'o.eventId')
    .select(({ fn }) => ['l.organiserId', fn.sum<string>('o.holds').as('holds'), fn.sum<string>('o.paid').as('paid')])
    .groupBy('l.organiserId')
    .execute();
  return new Map(
    rows.map(({ organiserId, holds, paid }) => [organiserId, { holds: Number(holds), paid: Number(paid) }]),
  );
};

export interface Totals {
  customers(scope: Scope): Promise<CustomerTotals>;
  orders(scope: Scope): Promise<OrderAnalytics>;
}

export function openTotals(db: Queryable, now: () => number): Totals {
  // One walk through the orders serves everybody.
  const all = summed(() => counts(db), now);
  return {
    customers: summed((scope) => totals(db, scope), now),
    orders: async ({ organiserId }) => {
      const by = await all({ organiserId: null });
      if (organiserId !== null) return by.get(organiserId) ?? { holds: 0, paid: 0 };
      const sums = [...by.values()];
      return {
        holds: sums.reduce((sum, { holds }) => sum + holds, 0),
        paid: sums.reduce((sum, { paid }) => sum + paid, 0),
      };
    },
  };
}
