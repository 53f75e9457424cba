import { centsToDollars } from '@beltway/contracts/common/basics';
import type { MoneyAnalytics, PlatformRevenue } from '@beltway/contracts/payments/platform';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';
import { daysAfter } from '@beltway/contracts/common/times';
import type { Queryable } from '@beltway/kit/postgres';

const MAX_TOP_EVENTS = 10;

/** Of one organiser's ticket sales, by its index alone. `$1`: the day; `$2`: the organiser. */
const TICKETS_OF = `select coalesce(sum(cents), 0) as total, coalesce(sum(cents) filter (where day >= date_trunc('month', $1::date)), 0) as month,
    coalesce(sum(cents) filter (where day = $1::date), 0) as today, coalesce(sum(fee_cents), 0) as fee
  from revenue_days where item = 'tickets' and organiser_id = $2`;
/** Of all, and what the platform sold itself. */
const ALL = `select coalesce(sum(cents) filter (where item = 'tickets'), 0) as total,
    coalesce(sum(cents) filter (where item = 'tickets' and day >= date_trunc('month', $1::date)), 0) as month,
    coalesce(sum(cents) filter (where item = 'tickets' and day = $1::date), 0) as today,
    coalesce(sum(fee_cents) filter (where item = 'tickets'), 0) as fee,
    coalesce(sum(cents) filter (where item <> 'tickets'), 0) as own
  from revenue_days`;

export interface Scope {
  /** Null: all organisers. */
  organiserId: number | null;
}

/** What was taken until now, this month and today (a day in New York); without the count of tickets, which ticketing knows. */
export async function revenueOf(
  db: Queryable,
  { organiserId }: Scope,
  today: string,
): Promise<Omit<PlatformRevenue, 'totalTicketsSold'>> {
  const { rows } = await db.query<Record<'total' | 'month' | 'today' | 'fee', string> & { own?: string }>(
    organiserId === null ? ALL : TICKETS_OF,
    organiserId === null ? [today] : [today, organiserId],
  );
  const { total, month, today: day, fee, own } = rows[0]!;
  const dollars = (cents: string | number) => centsToDollars(Number(cents));
  return {
    totalRevenue: dollars(total),
    monthlyRevenue: dollars(month),
    todayRevenue: dollars(day),
    platformFee: dollars(fee),
    organizerShare: dollars(Number(total) - Number(fee)),
    platformSales: own === undefined ? null : dollars(own),
  };
}

/** `$1`: the first day; `$2`: the organiser, or null for all. Of the latter two one branch runs. */
const TICKETS_SINCE = (columns: string, group: string) => `select ${columns} from (
    select day, event_id, cents, payments from revenue_days
      where $2::int is null and day >= $1::date and item = 'tickets'
    union all
    select day, event_id, cents, payments from revenue_days
      where $2::int is not null and organiser_id = $2 and day >= $1::date and item = 'tickets'
  ) r ${group}`;

const DAYS = TICKETS_SINCE('day::text, sum(cents) as cents, sum(payments)::int as payments', 'group by day');
const TOP = `${TICKETS_SINCE(
  `event_id as "eventId", coalesce((select title from promotable_events e where e.event_id = r.event_id), '') as title,
   sum(cents) as cents, sum(payments)::int as payments`,
  'group by event_id',
)} order by sum(cents) desc, event_id limit ${MAX_TOP_EVENTS}`;

/** What the platform sold itself, of the events of one owner or of all; ads are of no event, and so of no owner. */
const SOLD = `select item, sum(cents) as cents, sum(payments)::int as payments from revenue_days r
  where item <> 'tickets' and day >= $1::date
    and ($2::int is null or r.event_id in (select e.event_id from promotable_events e where e.owner_id = $2))
  group by item order by item`;

/** What was sold on the last so many days, today among them. */
export async function moneyAnalytics(
  db: Queryable,
  { organiserId }: Scope,
  today: string,
  count: number,
): Promise<MoneyAnalytics> {
  const first = daysAfter(today, 1 - count);
  type Sum = { cents: string; payments: number };
  const ask = async <Row>(text: string) => (await db.query<Row & Sum>(text, [first, organiserId])).rows;
  const [days, top, sold] = await Promise.all([
    ask<{ day: string }>(DAYS),
    ask<{ eventId: number; title: string }>(TOP),
    ask<{ item: string }>(SOLD),
  ]);
  const sums = new Map(days.map((row) => [row.day, row]));
  const of = ({ cents, payments }: Sum) => ({ revenue: centsToDollars(Number(cents)), payments });
  const named = (prefix: string) =>
    sold.filter(({ item }) => item.startsWith(prefix)).map((row) => ({ row, name: row.item.slice(prefix.length) }));
  return {
    days: Array.from({ length: count }, (_, at) => daysAfter(first, at)).map((day) => ({
      day,
      ...of(sums.get(day) ?? { cents: '0', payments: 0 }),
    })),
    topEvents: top.map(({ eventId, title, ...sum }) => ({ eventId, title, ...of(sum) })),
    promotions: [
      ...named('promotion:').map(({ row, name }) => ({ level: name as PaidLevel, ...of(row) })),
      ...sold.filter(({ item }) => item === 'livestream').map((row) => ({ level: 'livestream' as const, ...of(row) })),
    ],
    ads: named('ad:').map(({ row, name }) => ({ packageId: name, ...of(row) })),
  };
}
