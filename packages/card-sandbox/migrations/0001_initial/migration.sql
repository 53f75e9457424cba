-- Stripe's objects, stored as the documents they are. `hidden` is what Stripe does not return, such as how a test card
-- behaves. Documents of two to eight kilobytes stay in their rows uncompressed: compressing costs more than writing.
create table objects (
  id text primary key,
  kind text not null,
  position bigint generated always as identity,
  parent text,
  body json not null,
  hidden json,
  -- Counts a document's changes. A writer states the version that it has read, so no lock or transaction stays open.
  version int not null default 1
) with (fillfactor = 70, toast_tuple_target = 8160);
create index objects_kind on objects (kind, position desc);
create index objects_parent on objects (parent, kind, position desc) where parent is not null;

create table events (
  id text primary key,
  position bigint generated always as identity,
  type text not null,
  intent text,
  created timestamptz not null default now(),
  body json not null
) with (toast_tuple_target = 8160);
create index events_position on events (position desc);
create index events_type on events (type, position desc);
create index events_intent on events (intent, position) where intent is not null;

-- One row for each delivery that is owed. `due = infinity`: held back until a call of the sandbox releases it.
create table deliveries (
  id bigint generated always as identity primary key,
  event_id text not null references events (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  due timestamptz not null,
  attempts int not null default 0,
  log jsonb not null default '[]',
  created timestamptz not null default now()
) with (fillfactor = 80);
create index deliveries_due on deliveries (due, id) where state = 'pending';
create index deliveries_event on deliveries (event_id, id);

create table idempotency_keys (
  key text primary key,
  fingerprint text not null,
  status int not null,
  body json not null,
  created timestamptz not null default now()
) with (toast_tuple_target = 8160);
-- Read once an hour, by the sweep of old keys. Keys are written in the order of time, so a few index pages are enough.
create index idempotency_keys_created on idempotency_keys using brin (created);

create table settings (
  single boolean primary key default true check (single),
  body jsonb not null
);
