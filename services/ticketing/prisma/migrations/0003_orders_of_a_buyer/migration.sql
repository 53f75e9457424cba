-- A buyer's orders are looked up for their tickets. A hold has none, and a rush is made of holds: each of them kept up this index too.
drop index orders_of_buyer;
create index orders_of_buyer on orders (buyer_id) where status in ('fulfilled', 'refunding') and buyer_id is not null;
