-- Who follows which organiser. One row for each pair, so that a repeat changes nothing.
create table follows (
  follower_id  integer        not null,
  organiser_id integer        not null,
  created_at   timestamptz(3) not null default now(),
  primary key (follower_id, organiser_id)
);
create index follows_organiser on follows (organiser_id);
create index follows_latest on follows (follower_id, created_at desc);
