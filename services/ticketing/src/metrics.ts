import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows } from '@beltway/kit/kysely';
import { gauges } from '@beltway/kit/metrics';
import { kysely } from './db.ts';

/**
 * Holds and the money in them, by the database's clock: every instance answers the same. A hold that nobody paid is released
 * within seconds of its end; `overdue` grows while the job that does it, or payments, is away.
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

/** Shows in `/metrics` what is held. Gives what ends it. */
export const showHolds = (pool: Pool): (() => void) =>
  gauges(
    {
      ticketing_holds_open: 'Orders whose tickets are held and not paid',
      ticketing_tickets_held: 'Tickets in them',
      ticketing_held_cents: 'What these tickets cost, in cents',
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
