-- How often an order's link was revoked. A constant default: no row is rewritten.
alter table orders add column link_generation integer not null default 0;
