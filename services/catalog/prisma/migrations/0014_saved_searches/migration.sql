-- Searches that accounts are told of new events by. One row for each search of an account, so that a repeat changes nothing.
create table saved_searches (
  id       integer        generated always as identity primary key,
  user_id  integer        not null,
  name     text           not null,
  -- The parameters as they stand in an address.
  search   jsonb          not null,
  -- Of what is searched for, however it was spelt.
  digest   text           not null,
  saved_at timestamptz(3) not null default now(),
  unique (user_id, digest)
);
