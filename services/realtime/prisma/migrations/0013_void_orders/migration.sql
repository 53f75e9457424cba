-- A lost dispute made the order's tickets void, as ticketing's message of this version reported; newer messages replace it.
alter table noted_orders add column is_void boolean not null default false, add column validity_version integer not null default 0;
