import { centsToDollars } from '@beltway/contracts/common/basics';
import type { DayRevenue, MoneyAnalytics, PlatformRevenue } from '@beltway/contracts/payments/platform';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { daysAfter } from '@beltway/contracts/common/times';
import type { Queryable } from '@beltway/kit/postgres';
import { sql, type RawBuilder } from 'kysely';
import { kysely } from '../db.ts';

const MAX_TOP_EVENTS = 10;

export interface Scope {
  /** null: all organizers. */
  organizerId: number | null;
}

/**
 * Revenue until now, this month and today (a day in New York). The number of tickets is left out, because only
 * ticketing has that number.
 */
export async function revenueOf(
  db: Queryable,
  { organizerId }: Scope,
  today: string,
): Promise<Omit<PlatformRevenue, 'totalTicketsSold'>> {
  const tickets = sql`item = 'tickets'`;
  const sum = (column: 'cents' | 'fee_cents', of: RawBuilder<unknown>) =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where ${of}), 0)`;
  // For one organizer, the query reads only the index of their sales.
  const { rows } = await sql<Record<'total' | 'month' | 'today' | 'fee' | 'own', string>>`
    select ${sum('cents', tickets)} as total, ${sum('fee_cents', tickets)} as fee,
      ${sum('cents', sql`${tickets} and day >= date_trunc('month', ${today}::date)`)} as month,
      ${sum('cents', sql`${tickets} and day = ${today}::date`)} as today, ${sum('cents', sql`item <> 'tickets'`)} as own
    from revenue_days where ${organizerId === null ? sql`true` : sql`${tickets} and organizer_id = ${organizerId}`}`.execute(
    kysely(db),
  );
  const { total, month, today: day, fee, own } = rows[0]!;
  const dollars = (cents: string | number) => centsToDollars(Number(cents));
  return {
    totalRevenue: dollars(total),
    monthlyRevenue: dollars(month),
    todayRevenue: dollars(day),
    platformFee: dollars(fee),
    organizerShare: dollars(Number(total) - Number(fee)),
    platformSales: organizerId === null ? dollars(own) : null,
  };
}

type Sum = { cents: string; payments: number };
const sums = sql`sum(cents) as cents, sum(payments)::int as payments`;
const ticketsSince = (first: string, organizerId: number | null) =>
  sql`item = 'tickets' and day >= ${first}::date${organizerId === null ? sql`` : sql` and organizer_id = ${organizerId}`}`;

/** Ticket sales of each of the last `count` days, including today. */
export async function salesByDay(
  db: Queryable,
  { organizerId }: Scope,
  today: string,
  count: number,
): Promise<DayRevenue[]> {
  const first = daysAfter(today, 1 - count);
  const { rows } = await sql<Sum & { day: string }>`select day::text, ${sums} from revenue_days
    where ${ticketsSince(first, organizerId)} group by day`.execute(kysely(db));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: count }, (_, at) => daysAfter(first, at)).map((day) => {
    const { cents, payments } = byDay.get(day) ?? { cents: '0', payments: 0 };
    return { day, revenue: centsToDollars(Number(cents)), payments };
  });
}

/** Sales of the last `count` days, including today. */
export async function moneyAnalytics(
  db: Queryable,
  { organizerId }: Scope,
  today: string,
  count: number,
): Promise<MoneyAnalytics> {
  const first = daysAfter(today, 1 - count);
  const tickets = ticketsSince(first, organizerId);
  const [days, top, sold] = await Promise.all([
    salesByDay(db, { organizerId }, today, count),
    sql<Sum & { eventId: number; title: string }>`select event_id as "eventId", ${sums},
        coalesce((select title from promotable_events e where e.event_id = r.event_id), '') as title
      from revenue_days r where ${tickets} group by event_id order by sum(cents) desc, event_id limit ${MAX_TOP_EVENTS}`.execute(
      kysely(db),
    ),
    // The platform's own products, for one owner's events or for all; ads have no event and thus no owner.
    sql<Sum & { item: string }>`select item, ${sums} from revenue_days r
      where item <> 'tickets' and day >= ${first}::date and (${organizerId}::int is null
        or r.event_id in (select e.event_id from promotable_events e where e.owner_id = ${organizerId}))
      group by item order by item`.execute(kysely(db)),
  ]);
  const of = ({ cents, payments }: Sum) => ({ revenue: centsToDollars(Number(cents)), payments });
  const named = (prefix: string) =>
    sold.rows
      .filter(({ item }) => item.startsWith(prefix))
      .map((row) => ({ row, name: row.item.slice(prefix.length) }));
  return {
    days,
    topEvents: top.rows.map(({ eventId, title, ...sum }) => ({ eventId, title, ...of(sum) })),
    promotions: [
      ...named('promotion:').map(({ row, name }) => ({ level: name as PaidLevel, ...of(row) })),
      ...sold.rows
        .filter(({ item }) => item === 'livestream')
        .map((row) => ({ level: 'livestream' as const, ...of(row) })),
    ],
    ads: named('ad:').map(({ row, name }) => ({ packageId: name, ...of(row) })),
  };
}
