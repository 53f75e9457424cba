-- Customers are found by a part of their name or address (src/customer/queries.ts). A purchase writes one row of checkouts, once; the index
-- takes what is new in batches.
create extension if not exists pg_trgm;
create index checkouts_text on checkouts using gin ((lower(holder_name || E'\n' || holder_email)) gin_trgm_ops);
-- All purchases, newest first. Holds are not in it.
create index orders_newest on orders (held_at, order_id) where status in ('fulfilled', 'refunding');
