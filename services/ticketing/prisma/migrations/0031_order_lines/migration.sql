-- An order has lines, each of one kind of ticket, and a total (docs/decisions/0110). Lines are in the order's row: a hold writes one row.
alter table orders add column lines jsonb, add column total_cents integer,
  add column returned_cents integer not null default 0, add column fee_cents integer not null default 0;
update orders o set total_cents = quantity * price_cents, returned_cents = returned * price_cents,
  lines = jsonb_build_array(jsonb_build_object(
    'type', 'general', 'name', 'General admission', 'quantity', quantity, 'priceCents', price_cents)),
  fee_cents = case when status in ('fulfilled', 'refunding')
    then round(quantity * price_cents * 0.05) - round(round(quantity * price_cents * 0.05) * returned / quantity) else 0 end;
alter table orders alter column lines set not null, alter column total_cents set not null, drop column price_cents;

-- The kind of a ticket is that of its line. A ticket has ended once it has a refund.
alter table tickets add column type text not null default 'general';
alter table tickets alter column type drop default, drop column status;
alter table checkouts drop column ticket_type;

-- How many tickets the lines of a log event have.
create function tickets_in(lines json) returns integer language sql immutable parallel safe
  return (select coalesce(sum((line ->> 'quantity')::integer), 0) from json_array_elements(lines) line);
