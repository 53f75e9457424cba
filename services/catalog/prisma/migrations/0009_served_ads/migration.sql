-- Ads that were paid, as their streams tell of them: a read model.
create table ads (
  ad_id                  uuid           primary key,
  payment_id             text           not null,
  package_id             text           not null,
  slot                   text           not null check (slot in ('banner', 'block')),
  days                   integer        not null,
  max_impressions        integer,
  guaranteed_impressions integer,
  business_name          text           not null,
  event_title            text           not null,
  key_hash               text           not null,
  -- What its buyer sent last, counted from 1, and whether an admin has yet to look at it.
  submission             integer        not null,
  submitted_at           timestamptz(3),
  sent_image_url         text,
  sent_link_url          text,
  sent_title             text,
  sent_alt               text,
  is_waiting             boolean        not null,
  rejection              text,
  -- What is on the pages.
  shown_submission       integer,
  shown_image_url        text,
  shown_link_url         text,
  shown_title            text,
  shown_alt              text,
  bought_at              timestamptz(3) not null,
  starts_at              timestamptz(3),
  ends_at                timestamptz(3),
  is_extended            boolean        not null,
  ended_at               timestamptz(3)
);
create index ads_open on ads (slot) where ends_at is not null and ended_at is null;
create index ads_waiting on ads (submitted_at, ad_id) where is_waiting;
create index ads_latest on ads (bought_at desc, ad_id desc);

-- What was counted of each, and of each on a day. Apart from the read model, so that a rebuild leaves it alone.
create table ad_counts (
  ad_id       uuid    primary key,
  impressions integer not null default 0,
  clicks      integer not null default 0
) with (fillfactor = 50);
create table ad_days (
  ad_id       uuid    not null,
  day         date    not null,
  impressions integer not null default 0,
  clicks      integer not null default 0,
  primary key (day, ad_id)
) with (fillfactor = 50);

-- Which visitors of a day saw an ad, in which views of a page, and whether they opened it: digests by the key of the day (`view_keys`),
-- dropped after it. Unlogged, so that neither the log of PostgreSQL nor its replicas have a copy; a crash of PostgreSQL empties it.
create unlogged table ad_visitors (
  day     date    not null,
  visitor bytea   not null,
  views   bytea   not null,
  clicked boolean not null,
  primary key (day, visitor)
);
