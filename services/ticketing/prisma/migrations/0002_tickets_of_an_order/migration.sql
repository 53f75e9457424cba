-- A ticket is found by its order; one index serves that and says that no two have the same place in it.
alter table tickets drop constraint tickets_pkey;
alter table tickets add primary key (order_id, ordinal);
alter table tickets add constraint tickets_id_key unique (id);
drop index tickets_of_order;
