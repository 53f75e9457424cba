-- Copies of what catalog and ticketing say, as far as notifications need them.
create table noted_events (
  event_id         integer        primary key,
  owner_id         integer        not null,
  title            text           not null,
  location         text           not null,
  event_date       timestamptz(3) not null,
  event_start_time text           not null,
  event_end_time   text,
  status           text           not null check (status in ('published', 'postponed', 'cancelled')),
  -- Of the event's stream; 0 in messages of older days.
  version          integer        not null
);

create table noted_orders (
  order_id  uuid    primary key,
  event_id  integer not null,
  -- Null: a guest.
  buyer_id  integer,
  -- Tickets that still stand.
  quantity  integer not null,
  -- Why the last of its tickets that ended did.
  ended_by  text
);
create index noted_orders_event_id on noted_orders (event_id, buyer_id);
create index noted_orders_buyer_id on noted_orders (buyer_id);

-- What has yet to be told to many, or waits for what another topic says.
create table notification_facts (
  -- Of the message that said it.
  id          uuid           primary key,
  kind        text           not null,
  data        jsonb          not null,
  occurred_at timestamptz(3) not null,
  -- The last account that was told.
  told_until  integer        not null default 0,
  attempts    integer        not null default 0,
  next_at     timestamptz    not null default now()
);
create index notification_facts_next_at on notification_facts (next_at);

create table notifications (
  id           bigint         generated always as identity primary key,
  user_id      integer        not null,
  kind         text           not null,
  -- One for each fact and person, whatever is delivered twice.
  key          text           not null,
  event_id     integer,
  -- An organiser or a comment, by its kind.
  subject_id   integer,
  count        integer        not null default 1,
  amount_cents bigint,
  -- Of the event that changed.
  version      integer        not null default 0,
  detail       text,
  -- When it rang last.
  at           timestamptz(3) not null default now(),
  read_at      timestamptz(3),
  unique (user_id, key)
);
create index notifications_of on notifications (user_id, at desc, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_at on notifications (at);
