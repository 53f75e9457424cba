-- Events as the catalog says them: who may promote which. Not a read model of ours.
create table promotable_events (
  event_id integer primary key,
  owner_id integer     not null,
  title    text        not null,
  -- published, postponed or cancelled
  status   text        not null,
  ends_at  timestamptz not null,
  version  integer     not null
);
