-- Payments buy more than tickets: an ad is of no event, and what the platform sells itself is owed to nobody.
alter table payments alter column event_id drop not null, alter column organiser_id drop not null, add column package_id text;
-- The latest purchase of one promotion by one buyer.
create index payments_promotions on payments (event_id, user_id, promotion_type, created_at desc) where promotion_type is not null;

-- Parts of payments that we asked to be given back. A read model of the payment streams.
create table part_refunds (
  request_id   uuid primary key,
  payment_id   uuid        not null,
  cents        integer     not null,
  reason       text        not null,
  -- due; refunded; covered: the whole payment went back.
  status       text        not null,
  refund_id    text,
  requested_at timestamptz not null,
  refunded_at  timestamptz,
  -- How often a refund that was recorded as done failed later.
  reversals    integer     not null default 0,
  reversed_at  timestamptz
);
create index part_refunds_due on part_refunds (requested_at) where status = 'due';
create index part_refunds_of_payment on part_refunds (payment_id);
