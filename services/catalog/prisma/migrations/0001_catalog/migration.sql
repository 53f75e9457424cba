create sequence event_ids as integer;

-- What we show of an event: written by its projection only. Money in cents.
create table listings (
  event_id              integer        primary key,
  owner_id              integer        not null,
  status                text           not null check (status in ('published', 'cancelled')),
  title                 text           not null,
  description           text           not null,
  location              text           not null,
  -- Null: the event has no picture of its own and shows its poster.
  picture_url           text,
  video_url             text,
  tags                  text[]         not null,
  event_date            timestamptz(3) not null,
  event_start_time      text           not null,
  event_end_time        text,
  contact_email         text           not null,
  has_tickets           boolean        not null,
  ticket_sales_enabled  boolean        not null,
  price_cents           integer,
  capacity              integer,
  sales_start           timestamptz(3),
  sales_end             timestamptz(3),
  is_sponsored          boolean        not null default false,
  promotion_level       text           not null default 'none' check (promotion_level in ('none', 'featured', 'premium', 'livestream')),
  promotion_paid        boolean        not null default false,
  promotion_amount      integer        not null default 0,
  promotion_ends_at     timestamptz(3),
  is_livestream         boolean        not null default false,
  livestream_url        text,
  livestream_status     text           not null default 'scheduled',
  livestream_start_time timestamptz(3),
  livestream_end_time   timestamptz(3),
  created_at            timestamptz(3) not null,
  version               integer        not null
);
create index listings_soonest on listings (event_date, event_id) where status = 'published';
create index listings_promoted on listings (promotion_ends_at) where status = 'published' and promotion_level <> 'none';
create index listings_owner on listings (owner_id, created_at desc);

-- What ticketing said last. Apart from the listing, so that a rebuild of that is exact; no foreign key, for it may come first.
create table stock (
  event_id integer primary key,
  sold     integer not null,
  held     integer not null,
  version  bigint  not null
) with (fillfactor = 50);

-- Which event an idempotency key stands for, so that a retry is the same event.
create table publish_requests (
  user_id     integer        not null,
  key         text           not null,
  event_id    integer        not null,
  fingerprint text           not null,
  created_at  timestamptz(3) not null default now(),
  primary key (user_id, key)
);
