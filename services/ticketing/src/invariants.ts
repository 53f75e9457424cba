import type { Pool } from 'pg';
import type { InvariantCheck } from '@beltway/contracts/ops/invariants';
import { noJobGivenUp } from '@beltway/kit/given-up';

/**
 * Replays the log in SQL, so that the check also finds errors in the read model. `capacity` is the organizer's current
 * number and may be lower than sold plus held tickets. So each grant is compared with the capacity at the time of the
 * grant. Tickets that a hold takes over from a replaced hold were granted earlier.
 */
const STOCK = `
  with moves as (
    select stream, version, type,
      case type when 'TicketsSold' then tickets_in(data->'lines')
                when 'TicketsReturned' then -json_array_length(data->'tickets') else 0 end as sold,
      case type when 'TicketsHeld' then tickets_in(data->'lines') when 'HoldReleased' then -tickets_in(data->'lines')
                when 'TicketsSold' then -tickets_in(data->'fromHold') else 0 end as held,
      case when type in ('SaleOpened', 'SaleChanged') then (data->>'capacity')::int end as asked,
      case when type = 'HoldReleased' and data->>'reason' = 'replaced' then tickets_in(data->'lines') end as replaced
    from events where stream like 'sale-%'
  ), running as (
    select *, sum(sold + held) over so_far as taken, count(asked) over so_far as terms, lag(replaced, 1, 0) over so_far as before
    from moves window so_far as (partition by stream order by version)
  ), judged as (
    select *, sold + held > coalesce(before, 0) and taken > max(asked) over (partition by stream, terms) as oversold from running
  ), folded as (
    select split_part(stream, '-', 2)::int as event_id, sum(sold)::int as sold, sum(held)::int as held, bool_or(oversold) as oversold,
      (array_agg(asked order by version desc) filter (where asked is not null))[1] as capacity
    from judged group by stream
    having bool_or(type <> 'SaleClosed') -- closed before it opened, it has no stock
  )
  select f.event_id from folded f left join availability a using (event_id)
  where f.oversold or f.sold < 0 or f.held < 0
     or a.event_id is null or (a.sold, a.held, a.capacity) is distinct from (f.sold, f.held, f.capacity)
  limit 11`;

const ONE_CODE_PER_ADMISSION = `
  select o.order_id::text as event_id from orders o left join tickets t using (order_id)
  where o.status = 'fulfilled' group by o.order_id, o.quantity having count(t.id) <> o.quantity limit 11`;

/** The sum of an order's refunds must equal the sum of the prices of its returned tickets. */
const REFUNDED_ONCE = `
  with gone as (
    select order_id, count(*) as tickets, sum(price_cents) as cents from tickets where refund_id is not null group by order_id
  ), refunds as (
    select order_id, sum(quantity) as tickets, sum(amount_cents) as cents from order_refunds where quantity > 0 group by order_id
  )
  select coalesce(g.order_id, r.order_id)::text as event_id from gone g full join refunds r using (order_id)
  left join orders o on o.order_id = coalesce(g.order_id, r.order_id)
  where (g.tickets, g.cents) is distinct from (r.tickets, r.cents) or (o.returned, o.returned_cents) is distinct from (g.tickets, g.cents)
     or (o.returned >= o.quantity and o.status <> 'refunding') limit 11`;

const check = async (pool: Pool, name: string, sql: string): Promise<InvariantCheck> => {
  const { rows } = await pool.query<{ event_id: string | number }>(sql);
  return {
    name,
    ok: rows.length === 0,
    violations: rows.length,
    examples: rows.slice(0, 10).map(({ event_id }) => String(event_id)),
  };
};

/** The checks of docs/architecture.md#invariants. They must hold for live data at any time. */
export const invariants = (pool: Pool): Promise<InvariantCheck[]> =>
  Promise.all([
    check(pool, 'no sale grants more than its capacity, and the read model agrees with the log', STOCK),
    check(pool, 'a fulfilled order has one ticket per admission', ONE_CODE_PER_ADMISSION),
    check(pool, 'each ticket is refunded at most once, at its price', REFUNDED_ONCE),
    noJobGivenUp(pool),
  ]);
