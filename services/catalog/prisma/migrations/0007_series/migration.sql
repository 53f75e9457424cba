-- Of which series an event is: the id of the event on its first day. Null: of none.
alter table listings add column series_id integer;
create index listings_of_series on listings (series_id, event_date) where series_id is not null;

-- What was asked for, until all its events are in the log; then who asked, and for which days (src/series/series.ts).
create table event_series (
  series_id    integer        primary key,
  owner_id     integer        not null,
  details      jsonb,
  asked_at     timestamptz(3) not null,
  created_at   timestamptz(3) not null default now(),
  published_at timestamptz(3)
);
create index event_series_open on event_series (created_at) where published_at is null;
create table series_dates (
  series_id integer not null references event_series (series_id),
  day       date    not null,
  event_id  integer not null unique,
  primary key (series_id, day)
);
