-- What ticketing said last of an event's stock, and when we heard it: for those who begin to watch just after.
create table stock (
  event_id   integer        primary key,
  capacity   integer        not null,
  sold       integer        not null,
  held       integer        not null,
  version    bigint         not null,
  changed_at timestamptz(3) not null default now()
) with (fillfactor = 50);
