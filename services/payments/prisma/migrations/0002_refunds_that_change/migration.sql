-- What has gone back of a payment, by refunds and lost disputes.
alter table payments add column returned_cents integer not null default 0;
update payments set returned_cents = amount where status = 'refunded';

-- How often a refund failed after it had succeeded, and when last.
alter table refunds add column reversals integer not null default 0, add column reversed_at timestamptz;

-- What people must know or do. A read model of the payment streams, as the tables before.
create table alerts (
  payment_id   uuid        not null,
  kind         text        not null,
  -- The refund or the dispute.
  subject      text        not null,
  amount_cents integer     not null,
  detail       text        not null,
  raised_at    timestamptz not null,
  resolved_at  timestamptz,
  primary key (payment_id, kind, subject)
);
create index alerts_newest on alerts (raised_at, payment_id, kind, subject);
create index alerts_open on alerts (raised_at, payment_id, kind, subject) where resolved_at is null;

-- Events the catalog cancelled: their open intents are cancelled at the provider. Not a read model.
create table cancelled_events (
  event_id     integer primary key,
  cancelled_at timestamptz not null
);
create index cancelled_events_newest on cancelled_events (cancelled_at);

-- Orders whose intent the provider failed to make: a further try needs a fresh idempotency key, and what a failed try made after all
-- must be found. Not a read model.
create table intent_attempts (
  order_id  uuid primary key,
  attempt   integer     not null,
  failed_at timestamptz not null
);

-- How far the provider's own list of events is read, and by whom it may be read next. Not a read model.
create table provider_positions (
  name     text primary key,
  event_id text,
  next_at  timestamptz not null
);
