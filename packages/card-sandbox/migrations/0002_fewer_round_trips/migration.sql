-- Counts a document's changes: who writes says which one it has seen, so no lock and no transaction must stay open in between.
alter table objects add column version int not null default 1;

-- Documents of two to eight kilobytes stay in their rows as they are: compressing each cost more than writing it.
alter table objects set (toast_tuple_target = 8160);
alter table events set (toast_tuple_target = 8160);
alter table idempotency_keys set (toast_tuple_target = 8160);

-- Read once an hour, to forget: what is written in the order of time needs no entry per row for that.
drop index idempotency_keys_created;
create index idempotency_keys_created on idempotency_keys using brin (created);
