-- Read models of the payment streams (rebuilt from the log): payments, refunds, ledger_entries. Amounts in cents.
create table payments (
  id                       uuid primary key,
  user_id                  integer,
  event_id                 integer     not null,
  organiser_id             integer     not null,
  order_id                 uuid,
  purpose                  text        not null,
  promotion_type           text,
  stripe_payment_intent_id text        not null,
  amount                   integer     not null,
  status                   text        not null,
  client_secret            text,
  created_at               timestamptz not null,
  succeeded_at             timestamptz,
  fulfilled_at             timestamptz,
  refunded_at              timestamptz,
  constraint payments_intent unique (stripe_payment_intent_id)
);
create index payments_unsettled on payments (created_at) where status in ('open', 'processing');
-- What the invariants look for: money taken, and nothing given for it yet.
create index payments_unfulfilled on payments (succeeded_at) where status = 'succeeded' and fulfilled_at is null;

create table refunds (
  id               uuid primary key,
  -- waiting: no money has come yet; due: to be given back; refunded.
  status           text        not null,
  reason           text        not null,
  -- The order had its tickets when the refund was asked for.
  after_fulfilment boolean     not null,
  refund_id        text,
  requested_at     timestamptz not null,
  refunded_at      timestamptz
);
create index refunds_due on refunds (requested_at) where status = 'due';

-- Double entry: the legs of one event sum to zero. The key lets no replay book twice.
create table ledger_entries (
  payment_id   uuid        not null,
  event        text        not null,
  account      text        not null,
  amount_cents bigint      not null,
  occurred_at  timestamptz not null,
  primary key (payment_id, event, account)
);

-- When the workers may next ask the provider about a payment. Not a read model: what is due stands in the tables above.
create table provider_tasks (
  kind       text        not null,
  payment_id uuid        not null,
  attempts   integer     not null,
  next_at    timestamptz not null,
  last_error text,
  primary key (kind, payment_id)
);
