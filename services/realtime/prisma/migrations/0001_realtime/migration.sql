-- What ticketing said last of an event, and when we heard it: for an instance that begins, and those who watch just then.
create table stock (
  event_id   integer        primary key,
  capacity   integer        not null,
  sold       integer        not null,
  held       integer        not null,
  version    bigint         not null,
  changed_at timestamptz(3) not null default now()
) with (fillfactor = 50);
