-- 40 bits, shown as eight characters of Crockford's base 32 (order/number.ts). Random, so that it does not tell how much is sold; of two
-- alike the second insert fails and is made again. The default serves older instances, too.
alter table checkouts add column number bigint;
alter table checkouts alter column number set default floor(random() * 1099511627776)::bigint;
-- Orders of before: an odd factor maps the row numbers one to one onto the 40 bits.
update checkouts set number = numbered.n * 2654435761 % 1099511627776
  from (select order_id, row_number() over (order by order_id) as n from checkouts) numbered
  where checkouts.order_id = numbered.order_id;
alter table checkouts add constraint checkouts_number unique (number);

-- The attendees of an event in the order of their purchases, those with valid tickets first; and, as before, whose money goes back when it
-- is cancelled. In place of an index, not beside it: each purchase keeps it up.
drop index orders_fulfilled;
create index orders_sold on orders (event_id, status, held_at, order_id) where status in ('fulfilled', 'refunding');
create index listings_of_owner on listings (owner_id);
