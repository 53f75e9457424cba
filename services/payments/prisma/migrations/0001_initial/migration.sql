-- Read model of the streams payment-<id>: what was requested for one purchase, and its outcome. Amounts in cents.
create table payments (
  id uuid primary key,
  user_id integer,
  event_id integer,
  organizer_id integer,
  order_id uuid,
  purpose text not null,
  promotion_type text,
  stripe_payment_intent_id text not null,
  amount integer not null,
  status text not null,
  client_secret text,
  created_at timestamptz not null,
  succeeded_at timestamptz,
  fulfilled_at timestamptz,
  refunded_at timestamptz,
  -- Returned in total, by refunds and lost disputes.
  returned_cents integer not null default 0,
  -- The package of an ad.
  package_id text,
  -- The configuration of a live stream, as JSON.
  livestream text,
  -- Still owed to the organizer; below zero: their account has too much.
  owed_cents integer not null default 0,
  -- In the organizer's account.
  transferred_cents integer not null default 0,
  constraint payments_intent unique (stripe_payment_intent_id)
);
create index payments_unsettled on payments (created_at) where status in ('open', 'processing');
-- For the invariant that money taken buys something (src/invariants.ts).
create index payments_unfulfilled on payments (succeeded_at) where status = 'succeeded' and fulfilled_at is null;
-- The latest payment of a buyer for a level of an event.
create index payments_promotions on payments (event_id, user_id, promotion_type, created_at desc)
  where promotion_type is not null;
create index payments_to_move on payments (organizer_id, succeeded_at) where owed_cents <> 0;
-- An organizer's figures, and what is to be transferred.
create index payments_of_organizer on payments (organizer_id) include (owed_cents, transferred_cents)
  where organizer_id is not null;

-- Read model of the payment streams: the refund of a whole payment, requested by ticketing or made at the provider.
create table refunds (
  id uuid primary key,
  -- `waiting` for the payment, `due`, `refunded`, or `kept`: staff decide.
  status text not null,
  reason text not null,
  -- The order had its tickets when the refund was requested.
  after_fulfillment boolean not null,
  refund_id text,
  requested_at timestamptz not null,
  refunded_at timestamptz,
  -- How often a completed refund failed later, and when last.
  reversals integer not null default 0,
  reversed_at timestamptz
);
create index refunds_due on refunds (requested_at) where status = 'due';

-- Read model of the payment streams: double-entry bookkeeping. The legs of one event of a payment sum to zero, and the
-- primary key prevents booking an event twice.
create table ledger_entries (
  payment_id uuid not null,
  event text not null,
  account text not null,
  amount_cents bigint not null,
  occurred_at timestamptz not null,
  primary key (payment_id, event, account)
);
-- The newest transfers to and from organizers' accounts.
create index ledger_transfers on ledger_entries (occurred_at desc) where account = 'provider:transfers';

-- Calls to the provider that are retried until they succeed: when each may be tried next. Not a read model: which calls
-- are due follows from other tables.
create table provider_tasks (
  kind text not null,
  -- A payment, a part refund (request_id) or a payout account (task_id), by kind.
  payment_id uuid not null,
  attempts integer not null,
  next_at timestamptz not null,
  last_error text,
  -- Number of failed tries: after several, staff are alerted.
  failures integer not null default 0,
  primary key (kind, payment_id)
);

-- Read model of the payment streams: matters for staff.
create table alerts (
  payment_id uuid not null,
  kind text not null,
  -- What it is about, by kind: a refund, a requested part, a dispute, a transfer or the payment.
  subject text not null,
  amount_cents integer not null,
  detail text not null,
  raised_at timestamptz not null,
  resolved_at timestamptz,
  primary key (payment_id, kind, subject)
);
create index alerts_newest on alerts (raised_at, payment_id, kind, subject);
create index alerts_open on alerts (raised_at, payment_id, kind, subject) where resolved_at is null;

-- Events that the catalog canceled: their open intents are canceled at the provider. Not a read model.
create table canceled_events (
  event_id integer primary key,
  canceled_at timestamptz not null
);
create index canceled_events_newest on canceled_events (canceled_at);

-- Orders whose intent failed at the provider: the next try needs a new idempotency key, and an intent that exists after
-- all must be found. Not a read model.
create table intent_attempts (
  order_id uuid primary key,
  -- The number of idempotency keys of the order that the provider answers with a fault.
  attempt integer not null,
  failed_at timestamptz not null
);

-- How far the provider's lists were read, and when the next read may begin. Not a read model.
create table provider_positions (
  name text primary key,
  event_id text,
  next_at timestamptz not null
);

-- Read model of the payment streams: requested refunds of parts of a payment.
create table part_refunds (
  request_id uuid primary key,
  payment_id uuid not null,
  cents integer not null,
  reason text not null,
  -- `due`, `refunded`, or `covered`: nothing is left of the payment.
  status text not null,
  refund_id text,
  requested_at timestamptz not null,
  refunded_at timestamptz,
  -- How often a completed refund failed later, and when last.
  reversals integer not null default 0,
  reversed_at timestamptz
);
create index part_refunds_due on part_refunds (requested_at) where status = 'due';
create index part_refunds_of_payment on part_refunds (payment_id);

-- Events from the catalog: which organizer may promote which. Not a read model.
create table promotable_events (
  event_id integer primary key,
  owner_id integer not null,
  title text not null,
  -- published, postponed, suspended or canceled.
  status text not null,
  ends_at timestamptz not null,
  version integer not null,
  -- null: the cancellation arrived before the event.
  starts_at timestamptz
);
-- The events of an owner, for what was bought to promote them.
create index promotable_events_of_owner on promotable_events (owner_id);

-- Details that buyers of ads entered: personal data, so not in the log. Not a read model: a rebuild keeps it.
create table ad_orders (
  -- The payment's id, which is the ad's too.
  id uuid primary key,
  package_id text not null,
  -- The buyer's account; null for a guest.
  user_id integer,
  business_name text not null,
  contact_email text not null,
  phone text not null,
  event_title text not null,
  event_description text not null,
  special_requests text not null,
  -- Opens the ad's page.
  link_key text not null,
  changed_at timestamptz not null default now(),
  -- Language of the latest order: mails to the buyer follow it.
  language text not null default 'en'
);
create index ad_orders_changed_at on ad_orders (changed_at);

-- Read model of the payout streams: organizers' accounts at the provider.
create table payout_accounts (
  user_id integer primary key,
  -- The account's key in provider_tasks, whose ids are uuids.
  task_id uuid not null unique,
  account_id text not null,
  -- onboarding, review, restricted, rejected or ready.
  state text not null,
  opened_at timestamptz not null,
  ready_at timestamptz,
  constraint payout_accounts_account unique (account_id)
);

-- Read model of the same streams: payouts to organizers' banks.
create table payouts (
  payout_id text primary key,
  user_id integer not null,
  amount_cents integer not null,
  -- The day in New York on which it was due, YYYY-MM-DD.
  due_on text not null,
  -- pending, paid or failed.
  status text not null,
  sent_at timestamptz not null,
  settled_at timestamptz
);
create index payouts_of_user on payouts (user_id, sent_at);

-- Buyers' customer ids at the provider, which gets no name or address. Not a read model: asked again, the provider
-- returns the same id.
create table customers (
  user_id integer primary key,
  stripe_customer_id text not null
);

-- Revenue per day in New York and item sold: sums over the log, added behind it (src/revenue/follow.ts).
create table revenue_days (
  day date not null,
  -- `tickets`, `promotion:<level>`, `livestream`, `ad:<package>`.
  item text not null,
  -- 0: an ad has no event.
  event_id integer not null,
  -- 0: no organizer is owed a share.
  organizer_id integer not null,
  -- Cents; refunds and lost disputes are subtracted on the day they were booked.
  cents bigint not null,
  -- The platform's part of it.
  fee_cents bigint not null,
  -- Payments that succeeded.
  payments integer not null,
  primary key (day, item, event_id, organizer_id)
);
create index revenue_days_of_organizer on revenue_days (organizer_id, day)
  include (item, event_id, cents, fee_cents, payments);
create index revenue_days_of_event on revenue_days (event_id, item, day);

-- Accounts that were ever suspended, with their latest state from identity: a suspended one gets no payouts.
create table account_suspensions (
  user_id integer primary key,
  is_suspended boolean not null,
  version integer not null
);

-- Admins find a payment by the provider's id of a refund or dispute (src/ops/search.ts). Few events have such an id.
create index events_of_provider on events (coalesce(data ->> 'disputeId', data ->> 'refundId'))
  where type in ('RefundFailed', 'PaymentRefunded', 'PaymentPartlyRefunded', 'RefundReversed',
    'DisputeOpened', 'DisputeLost', 'DisputeWon');
