-- The log: a service's source of truth, and its outbox.
create table events (
  position       bigint      generated always as identity,
  -- Compared byte by byte, whatever the database's language: every append looks the stream up.
  stream         text        not null collate "C",
  version        bigint      not null,
  type           text        not null,
  data           json        not null,
  -- Set on the first event of a command only: the unique index makes sure that each command is decided once.
  command_id     uuid,
  command_size   smallint,
  fingerprint    text,
  user_id        integer,
  correlation_id text        not null,
  causation_id   text        not null,
  occurred_at    timestamptz not null,
  -- Positions become visible out of order. Readers stop below the oldest open transaction.
  tx             xid8        not null default pg_current_xact_id(),
  -- The span that appended the event: work that follows from the event continues its trace. Not part of the event.
  traceparent    text,
  constraint events_fence primary key (stream, version)
);
create unique index events_command on events (command_id) where command_id is not null;
-- The log is read in the order (tx, position). By position alone an event could be lost: a transaction can take a lower
-- position than another, but a higher number, and commit later, when a reader has already passed its position.
-- Within a stream both orders are the same: the transaction of a version begins after the previous one has committed.
create index events_order on events (tx, position);

create table snapshots (
  stream   text        primary key,
  version  bigint      not null,
  shape    integer     not null,
  state    json        not null,
  taken_at timestamptz not null default now()
);

-- How far each follower of the log (the relay, an async projection) has read.
create table checkpoints (
  name     text   primary key,
  position bigint not null,
  tx       xid8   not null default '0'
);
