-- An order has lines, each of one kind of ticket, and a total (docs/decisions/0111). Lines are in the order's row: a hold
-- writes one row.
alter table orders add column lines jsonb, add column total_cents integer,
  add column returned_cents integer not null default 0, add column fee_cents integer not null default 0;
update orders set total_cents = quantity * price_cents, returned_cents = returned * price_cents,
  lines = jsonb_build_array(jsonb_build_object(
    'type', 'general', 'name', 'General admission', 'quantity', quantity, 'priceCents', price_cents)),
  fee_cents = case when status in ('fulfilled', 'refunding')
    then round(quantity * price_cents * 0.05) - round(round(quantity * price_cents * 0.05) * returned / quantity) else 0 end;
alter table orders alter column lines set not null, alter column total_cents set not null, drop column price_cents;

-- The type of a ticket is that of its line. A ticket has ended once it has a refund; a whole order's has the order's id.
alter table tickets add column type text not null default 'general';
update tickets set refund_id = order_id where status = 'refunded' and refund_id is null;
alter table tickets alter column type drop default, drop column status;
alter table checkouts drop column ticket_type;

-- How many tickets the lines of a log event have.
create function tickets_in(lines json) returns integer language sql immutable parallel safe
  return (select coalesce(sum((line ->> 'quantity')::integer), 0) from json_array_elements(lines) line);

-- The log takes the new shape, too: nothing has been released, so its events have one version.
create function pg_temp.line(quantity integer, cents integer) returns jsonb language sql
  return case when quantity = 0 then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
    'type', 'general', 'name', 'General admission', 'quantity', quantity, 'priceCents', cents)) end;
create temporary table held as
  select data ->> 'orderId' as order_id, (data ->> 'quantity')::integer as quantity, (data ->> 'priceCents')::integer as cents
  from events where type = 'TicketsHeld' and data ->> 'lines' is null;
update events e
set data = (e.data::jsonb - 'quantity' - 'priceCents'
  || jsonb_build_object('lines', pg_temp.line((e.data ->> 'quantity')::integer, h.cents))
  || case when e.type = 'TicketsSold'
    then jsonb_build_object('fromHold', pg_temp.line((e.data ->> 'fromHold')::integer, h.cents)) else '{}' end)::json
from held h
where e.type in ('TicketsHeld', 'HoldReleased', 'TicketsSold') and h.order_id = e.data ->> 'orderId';
update events e
set data = (e.data::jsonb - 'quantity' - 'part' || jsonb_build_object(
  'refundId', coalesce(e.data ->> 'refundId', h.order_id),
  'tickets', (
    select jsonb_agg(jsonb_build_object('place', place, 'type', 'general', 'priceCents', h.cents) order by place)
    from generate_series(1, h.quantity) place
    where e.data -> 'part' is null or (e.data -> 'part' -> 'places')::jsonb @> to_jsonb(place)),
  'order', jsonb_build_object(
    'quantity', h.quantity, 'totalCents', h.quantity * h.cents,
    'standing', coalesce((e.data -> 'part' ->> 'standing')::integer, 0),
    'standingCents', coalesce((e.data -> 'part' ->> 'standing')::integer, 0) * h.cents)))::json
from held h
where e.type = 'TicketsReturned' and h.order_id = e.data ->> 'orderId';
drop table held;
drop function pg_temp.line;
