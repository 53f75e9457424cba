-- What was bought and what went back are counted apart, so that they may be heard of in any order.
alter table noted_orders add column returned integer not null default 0;
-- Of the orders until now nobody is told again.
alter table noted_orders add column is_bought boolean not null default true;
alter table noted_orders alter column is_bought set default false;

-- Whether followers of its organiser were told of it, or it was too late for that.
alter table noted_events add column is_announced boolean not null default true;
alter table noted_events alter column is_announced set default false;
