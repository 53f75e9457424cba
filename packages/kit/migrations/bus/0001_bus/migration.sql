-- The embedded bus: a log. Messages are never changed and never deleted.

-- One row for each partition. A publisher holds the row until it commits, so offsets have no gaps and become visible in
-- order: whoever reads up to next_offset has missed nothing.
create table bus_partitions (
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  primary key (topic, partition)
) with (fillfactor = 20);

create table bus_messages (
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  key text not null,
  message text not null,
  published_at timestamptz not null default now(),
  primary key (topic, partition, "offset")
);

-- How far a group has come. A member holds the advisory lock of `id` while it handles a batch of the partition.
create table bus_offsets (
  id int generated always as identity unique,
  group_name text not null,
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  primary key (group_name, topic, partition)
) with (fillfactor = 20);
