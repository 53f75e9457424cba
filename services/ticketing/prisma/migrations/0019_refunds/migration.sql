-- What a buyer was promised; orders of before have the default, too.
alter table orders add column refund_deadline_hours integer default 24;
alter table orders add column returned smallint not null default 0;
alter table orders add column frozen boolean not null default false;
alter table tickets add column refund_id uuid;

-- Read model of the sales: money that goes back for an order or for some of its tickets.
create table order_refunds (
  refund_id    uuid        primary key,
  order_id     uuid        not null,
  event_id     integer     not null,
  cause        text        not null,
  quantity     smallint    not null,
  amount_cents integer     not null,
  requested_at timestamptz not null
);
create index order_refunds_order_id_idx on order_refunds (order_id);
-- Those of before, as a rebuild would write them: each order was returned as a whole, by what its log says.
insert into order_refunds (refund_id, order_id, event_id, cause, quantity, amount_cents, requested_at)
select (data->>'orderId')::uuid, (data->>'orderId')::uuid, split_part(stream, '-', 2)::integer, data->>'reason',
  case type when 'TicketsReturned' then (data->>'quantity')::integer else 0 end, (data->>'amountCents')::integer, occurred_at
from events where type in ('TicketsReturned', 'PaymentNotFulfilled', 'RefundRequested') and stream like 'sale-%'
on conflict do nothing;
update tickets set refund_id = order_id where status = 'refunded';
update orders set returned = quantity where status = 'refunding' and exists (select from tickets t where t.order_id = orders.order_id);

-- Beside the log: why somebody asked for a refund, and what payments said became of it.
create table refund_progress (
  refund_id   uuid        primary key,
  order_id    uuid        not null,
  reason      text,
  refunded_at timestamptz,
  failed_at   timestamptz
);

-- Who looked at whose order: the event's organiser and admins.
create table order_looks (
  id         uuid        primary key default gen_random_uuid(),
  order_id   uuid        not null,
  account_id integer     not null,
  role       text        not null,
  at         timestamptz not null default now()
);
create index order_looks_order_id_at_idx on order_looks (order_id, at);
