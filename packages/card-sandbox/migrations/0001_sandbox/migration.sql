-- Stripe's objects as the documents they are. `hidden` is what Stripe keeps to itself (how a test card behaves).
create table objects (
  id text primary key,
  kind text not null,
  position bigint generated always as identity,
  parent text,
  body json not null,
  hidden json
) with (fillfactor = 70);
create index objects_kind on objects (kind, position desc);
create index objects_parent on objects (parent, kind, position desc) where parent is not null;

create table events (
  id text primary key,
  position bigint generated always as identity,
  type text not null,
  intent text,
  created timestamptz not null default now(),
  body json not null
);
create index events_position on events (position desc);
create index events_type on events (type, position desc);
create index events_intent on events (intent, position) where intent is not null;

-- One row per delivery owed; due = infinity is held back until someone says otherwise.
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
);
create index idempotency_keys_created on idempotency_keys (created);

create table settings (
  single boolean primary key default true check (single),
  body jsonb not null
);
