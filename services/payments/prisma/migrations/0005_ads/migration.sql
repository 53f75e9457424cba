-- What people who buy ads say of themselves: addresses, so not in the log. Not a read model; a rebuild leaves it alone.
create table ad_orders (
  -- the payment's, which is the ad's too
  id                uuid        primary key,
  package_id        text        not null,
  -- the buyer's account; null for a guest
  user_id           integer,
  business_name     text        not null,
  contact_email     text        not null,
  phone             text        not null,
  event_title       text        not null,
  event_description text        not null,
  special_requests  text        not null,
  -- opens the ad's page
  link_key          text        not null,
  changed_at        timestamptz not null default now()
);
create index ad_orders_changed_at on ad_orders (changed_at);

-- Mails to who bought an ad.
create table ad_mails (
  -- of the message that it follows from
  id         uuid        primary key,
  ad_id      uuid        not null,
  -- ready, approved or rejected
  kind       text        not null,
  -- until when it is shown, or why it is not
  detail     text        not null,
  -- waiting, sent or failed
  status     text        not null default 'waiting',
  attempts   integer     not null default 0,
  next_at    timestamptz not null default now(),
  last_error text
);
create index ad_mails_waiting on ad_mails (next_at) where status = 'waiting';
