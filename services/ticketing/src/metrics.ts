import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows } from '@beltway/kit/kysely';
import { gauges } from '@beltway/kit/metrics';
import { kysely } from './db.ts';

/**
 * Open holds and their value. Uses the database's clock, so that every instance returns the same numbers. An unpaid
 * hold is released within seconds after its end. `overdue` grows if the job that releases holds does not run, or if
 * payments is down.
 */
const openHolds = (pool: Pool) =>
  kysely(pool)
    .selectFrom('orders')
    .select([
      countRows,
      sql<number>`coalesce(sum(quantity), 0)::int`.as('tickets'),
      sql<number>`coalesce(sum(total_cents), 0)::float8`.as('cents'),
      sql<number>`coalesce(greatest(extract(epoch from now() - min(hold_until)), 0), 0)::float8`.as('overdue'),
    ])
    .where('status', '=', sql.lit('held'))
    .executeTakeFirstOrThrow();

/** Adds the open holds to `/metrics`. Returns a function that removes them. */
export const showHolds = (pool: Pool): (() => void) =>
  gauges(
    {
      ticketing_holds_open: 'Orders whose tickets are held and not paid',
      ticketing_tickets_held: 'Tickets in them',
      ticketing_held_cents: 'Price of these tickets, in cents',
      ticketing_hold_overdue_seconds: 'How long the hold that ended first has waited to be released',
    },
    [],
    async () => {
      const { count, tickets, cents, overdue } = await openHolds(pool);
      return [
        {
          values: {
            ticketing_holds_open: count,
            ticketing_tickets_held: tickets,
            ticketing_held_cents: cents,
            ticketing_hold_overdue_seconds: overdue,
          },
        },
      ];
    },
  );
