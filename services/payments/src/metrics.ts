import type { Pool } from 'pg';
import { gauges } from '@beltway/kit/metrics';
import { sql } from 'kysely';
import { kysely } from './db.ts';

/**
 * Money on its way, by indexes that hold these rows alone. `unfulfilled`: taken, and what it bought was not given yet, nor a refund
 * asked for. `refunds`: asked for, and the provider has not done it. `owedBack`: with organizers' accounts, and to come back; its age is that
 * of the first that was refused again and again. Ages by the database's clock.
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

/** Shows in `/metrics` what money is on its way, and what people must look at. Gives what ends it. */
export const showMoney = (pool: Pool): (() => void) =>
  gauges(
    {
      payments_unfulfilled: 'Payments that succeeded and have neither brought anything nor gone back',
      payments_unfulfilled_cents: 'What was paid by them, in cents',
      payments_unfulfilled_seconds: 'Since when the first of them has waited',
      payments_refunds_due: 'Refunds that were asked for and are not done',
      payments_refunds_due_cents: 'What goes back by them, in cents',
      payments_refunds_due_seconds: 'Since when the first of them has waited',
      payments_owed_back: 'Payments of which an organizer’s account has too much, since money went back',
      payments_owed_back_cents: 'What those accounts have too much, in cents',
      payments_owed_back_seconds: 'Since when the first of it was refused again and again',
      payments_alerts_open: 'Alerts of payments that nobody has resolved',
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
