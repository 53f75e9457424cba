-- What media says of live streams: whether pictures come. Of two messages the higher version is the newer.
create table broadcasts (
  event_id integer primary key,
  is_live  boolean not null,
  version  integer not null
);
