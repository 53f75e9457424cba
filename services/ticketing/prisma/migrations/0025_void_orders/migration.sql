-- A bank took money of the order in a dispute that was lost: its tickets admit no one until the dispute is won after all.
alter table orders add column is_void boolean not null default false;
