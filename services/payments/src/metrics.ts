import type { Pool } from 'pg';
import { gauges } from '@beltway/kit/metrics';
import { sql } from 'kysely';
import { kysely } from './db.ts';

/**
 * Money in flight, read from partial indexes. `unfulfilled`: paid purchases that were neither fulfilled nor refunded.
 * `refunds`: requested refunds that the provider has not made yet. `owedBack`: shares that must be taken back from
 * organizers' accounts; the age of `owedBack` is the age of the oldest open `reversal-delayed` alert. Ages use the
 * database's clock.
 */
const IN_FLIGHT = sql<InFlight>`
  with unfulfilled as (
    select p.amount, p.succeeded_at as since from payments p left join refunds r using (id)
    where p.status = 'succeeded' and p.fulfilled_at is null and r.id is null
  ), due as (
    select p.amount - p.returned_cents as amount, r.requested_at as since
    from refunds r join payments p using (id) where r.status = 'due'
    union all select cents, requested_at from part_refunds where status = 'due'
  )
  select 'unfulfilled' as what, count(*)::int as n, coalesce(sum(amount), 0)::float8 as cents,
    coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from unfulfilled
  union all select 'refunds', count(*)::int, coalesce(sum(amount), 0)::float8,
    coalesce(extract(epoch from now() - min(since)), 0)::float8 from due
  union all select 'owedBack', count(*)::int, coalesce(-sum(owed_cents), 0)::float8,
    coalesce((select extract(epoch from now() - min(raised_at)) from alerts
      where kind = 'reversal-delayed' and resolved_at is null), 0)::float8
    from payments where owed_cents < 0
  union all select 'alerts', count(*)::int, 0, coalesce(extract(epoch from now() - min(raised_at)), 0)::float8
    from alerts where resolved_at is null`;

interface InFlight {
  what: 'unfulfilled' | 'refunds' | 'owedBack' | 'alerts';
  n: number;
  cents: number;
  seconds: number;
}

/** Adds money in flight and open alerts to `/metrics`. Returns a function that removes them. */
export const showMoney = (pool: Pool): (() => void) =>
  gauges(
    {
      payments_unfulfilled: 'Payments that succeeded, but are neither fulfilled nor refunded',
      payments_unfulfilled_cents: 'Amount of these payments, in cents',
      payments_unfulfilled_seconds: 'How long the first of them has waited',
      payments_refunds_due: 'Requested refunds that are not done',
      payments_refunds_due_cents: 'Amount of these refunds, in cents',
      payments_refunds_due_seconds: 'How long the first of them has waited',
      payments_owed_back: 'Refunded payments whose organizer’s account still has the share',
      payments_owed_back_cents: 'Amount of these shares, in cents',
      payments_owed_back_seconds: 'Age of the first share whose reversal failed repeatedly',
      payments_alerts_open: 'Unresolved alerts of payments',
    },
    [],
    async () => {
      const { rows } = await IN_FLIGHT.execute(kysely(pool));
      const of = (what: InFlight['what']) => rows.find((row) => row.what === what)!;
      const unfulfilled = of('unfulfilled');
      const refunds = of('refunds');
      const owedBack = of('owedBack');
      return [
        {
          values: {
            payments_unfulfilled: unfulfilled.n,
            payments_unfulfilled_cents: unfulfilled.cents,
            payments_unfulfilled_seconds: unfulfilled.seconds,
            payments_refunds_due: refunds.n,
            payments_refunds_due_cents: refunds.cents,
            payments_refunds_due_seconds: refunds.seconds,
            payments_owed_back: owedBack.n,
            payments_owed_back_cents: owedBack.cents,
            payments_owed_back_seconds: owedBack.seconds,
            payments_alerts_open: of('alerts').n,
          },
        },
      ];
    },
  );
