-- Read models of the streams engagement-<user id>: what is counted of a person, and what follows from it.
create table engagement_profiles (
  user_id         integer primary key,
  is_visible      boolean not null default false,
  points          integer not null default 0,
  events_attended integer not null default 0,
  photos_shared   integer not null default 0
);
create table counted_facts (
  user_id    integer     not null,
  kind       text        not null,
  subject_id integer     not null,
  event_id   integer     not null,
  -- The day of New York that it counts for, and the Sunday its week began on.
  day        date        not null,
  week       date        not null,
  points     integer     not null,
  category   text,
  place      text,
  basis      text,
  counted_at timestamptz not null,
  primary key (user_id, kind, subject_id)
);
create index counted_facts_latest on counted_facts (user_id, counted_at desc, kind desc, subject_id desc);
create table user_badges (
  user_id     integer     not null,
  badge_id    text        not null,
  unlocked_at timestamptz not null,
  primary key (user_id, badge_id)
);
-- Points by week (0001-01-01: ever) and place ('': everywhere).
create table leaderboard_scores (
  user_id    integer not null,
  week       date    not null,
  place      text    not null,
  points     integer not null,
  is_visible boolean not null,
  primary key (user_id, week, place)
);
create index leaderboard_scores_seen on leaderboard_scores (week, place, points desc, user_id) where is_visible;

-- What follows is no read model: what other services said, and what is to be looked at because of it.
create table engagement_events (
  event_id  integer     primary key,
  title     text        not null,
  ends_at   timestamptz not null,
  day       date        not null,
  category  text,
  place     text,
  status    text        not null,
  version   bigint      not null
);
create table engagement_orders (
  order_id    uuid    primary key,
  event_id    integer not null,
  buyer_id    integer,
  bought      integer not null,
  returned    integer not null,
  is_returned boolean not null
);
create index engagement_orders_of_event on engagement_orders (event_id, buyer_id);
create index engagement_orders_of_buyer on engagement_orders (buyer_id);
create table engagement_photos (
  photo_id    integer     primary key,
  uploader_id integer,
  event_id    integer,
  is_shown    boolean     not null,
  said_at     timestamptz not null,
  -- When it was shown first.
  shown_at    timestamptz
);
create index engagement_photos_of_uploader on engagement_photos (uploader_id);
create table fact_checks (
  user_id      integer     not null,
  kind         text        not null,
  subject_id   integer     not null,
  -- -infinity: now.
  due_at       timestamptz not null,
  leased_until timestamptz not null default now(),
  -- Counts what was said since: a look that began before is looked at again.
  generation   integer     not null default 0,
  primary key (user_id, kind, subject_id)
);
create index fact_checks_due on fact_checks (due_at);

-- Few of many: whom the leaderboard leaves out.
create index users_suspended on users (id) where suspended_at is not null;
