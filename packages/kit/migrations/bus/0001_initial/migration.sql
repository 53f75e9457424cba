-- The embedded bus: a log. Messages never change. They are deleted when their topic's retention ends.

-- One row for each partition. A publisher locks the row until it commits, so offsets have no gaps and become visible in
-- order: a reader that has reached next_offset has missed nothing.
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
  -- The span that published the message.
  traceparent text,
  primary key (topic, partition, "offset")
);

-- The next offset of each consumer group. A member holds the advisory lock of `id` while it handles a batch of the
-- partition.
create table bus_offsets (
  id int generated always as identity unique,
  group_name text not null,
  topic text not null,
  partition int not null,
  next_offset bigint not null default 0,
  primary key (group_name, topic, partition)
) with (fillfactor = 20);
