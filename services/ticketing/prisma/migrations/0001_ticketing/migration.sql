-- Read models of the sales (rebuilt from the log): availability, orders, tickets.
create table availability (
  event_id      integer primary key,
  organiser_id  integer not null,
  capacity      integer not null,
  price_cents   integer not null,
  opens_at      timestamptz,
  closes_at     timestamptz,
  closed        text,
  sold          integer not null default 0,
  held          integer not null default 0,
  revenue_cents bigint  not null default 0,
  version       bigint  not null,
  -- The last wall: the decider never gets here.
  constraint availability_never_oversold check (sold >= 0 and held >= 0 and sold + held <= capacity)
);

create table orders (
  order_id    uuid primary key,
  event_id    integer     not null,
  buyer_id    integer,
  quantity    smallint    not null,
  price_cents integer     not null,
  status      text        not null,
  held_at     timestamptz not null,
  hold_until  timestamptz not null,
  extended    boolean     not null default false,
  payment_id  text,
  settled_at  timestamptz
);
create index orders_expiring on orders (hold_until) where status = 'held';
create index orders_of_buyer on orders (buyer_id) where buyer_id is not null;
create index orders_fulfilled on orders (event_id) where status = 'fulfilled';

create table tickets (
  id          uuid primary key,
  order_id    uuid        not null,
  event_id    integer     not null,
  code        text        not null unique,
  ordinal     smallint    not null,
  price_cents integer     not null,
  status      text        not null default 'valid',
  sold_at     timestamptz not null
);
create index tickets_of_order on tickets (order_id);

-- Who buys, and by which payment. Personal data stays out of the log, so that it can be erased.
create table checkouts (
  order_id     uuid primary key,
  holder_name  text not null,
  holder_email text not null,
  ticket_type  text not null default 'general',
  payment_id   text unique,
  refunded_at  timestamptz,
  created_at   timestamptz not null default now()
);

-- What the catalog says of the events.
create table listings (
  event_id         integer primary key,
  owner_id         integer     not null,
  title            text        not null,
  location         text        not null,
  image_url        text,
  event_date       timestamptz not null,
  event_start_time text        not null,
  event_end_time   text,
  status           text        not null default 'published'
);

-- Mails to send, once per order and kind.
create table mails (
  order_id   uuid        not null,
  kind       text        not null,
  status     text        not null default 'waiting',
  attempts   integer     not null default 0,
  next_at    timestamptz not null default now(),
  last_error text,
  sent_at    timestamptz,
  created_at timestamptz not null default now(),
  primary key (order_id, kind)
);
create index mails_waiting on mails (next_at) where status = 'waiting';

-- Ed25519 keys that sign tickets; the private half is sealed.
create table signing_keys (
  id          smallint primary key,
  public_key  text        not null,
  sealed_key  text        not null,
  created_at  timestamptz not null default now()
);
