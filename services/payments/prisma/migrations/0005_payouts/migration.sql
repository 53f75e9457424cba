-- What the organiser is owed of a payment (below zero: their account has too much), and what is with their account. Read model.
alter table payments add column owed_cents integer not null default 0, add column transferred_cents integer not null default 0;
update payments p set owed_cents = l.cents
  from (select payment_id, -sum(amount_cents) as cents from ledger_entries where account like 'organiser:%' group by payment_id) l
  where l.payment_id = p.id and l.cents <> 0;
-- An organiser's figures, and what is to be moved.
create index payments_of_organiser on payments (organiser_id) include (owed_cents, transferred_cents) where organiser_id is not null;
create index payments_to_move on payments (organiser_id, succeeded_at) where owed_cents <> 0;

-- Read models of the payout streams: organisers' accounts at the provider, and what was sent to their banks.
create table payout_accounts (
  user_id    integer primary key,
  -- For the workers' tasks, whose ids are uuids.
  task_id    uuid        not null unique,
  account_id text        not null,
  -- onboarding, review, restricted, rejected or ready
  state      text        not null,
  opened_at  timestamptz not null,
  ready_at   timestamptz,
  constraint payout_accounts_account unique (account_id)
);
create table payouts (
  payout_id    text primary key,
  user_id      integer     not null,
  amount_cents integer     not null,
  -- The day of New York it was due.
  due_on       text        not null,
  -- pending, paid or failed
  status       text        not null,
  sent_at      timestamptz not null,
  settled_at   timestamptz
);
create index payouts_of_user on payouts (user_id, sent_at);

-- Buyers as the provider knows them. Not a read model: no name and no address, and whoever is asked again answers the same.
create table customers (
  user_id            integer primary key,
  stripe_customer_id text not null
);

-- The newest movements to and from organisers' accounts.
create index ledger_transfers on ledger_entries (occurred_at desc) where account = 'provider:transfers';
