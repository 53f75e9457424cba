-- The log: the source of truth of a service, and its outbox.
create table events (
  position       bigint generated always as identity,
  stream         text        not null,
  version        bigint      not null,
  type           text        not null,
  data           json        not null,
  -- The command that decided this event stands on its first event only: unique, so it is decided once.
  command_id     uuid,
  command_size   smallint,
  fingerprint    text,
  user_id        integer,
  correlation_id text        not null,
  causation_id   text        not null,
  occurred_at    timestamptz not null,
  -- Positions become visible out of order; readers stay below the oldest transaction still open.
  tx             xid8        not null default pg_current_xact_id(),
  constraint events_fence primary key (stream, version)
);
create unique index events_command on events (command_id) where command_id is not null;
create unique index events_position on events (position);

create table snapshots (
  stream   text        primary key,
  version  bigint      not null,
  shape    integer     not null,
  state    json        not null,
  taken_at timestamptz not null default now()
);

-- How far each follower of the log (the relay, an async projection) has come.
create table checkpoints (
  name     text   primary key,
  position bigint not null
);
