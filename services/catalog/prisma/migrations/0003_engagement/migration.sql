-- What accounts did with events. Not of the log: nothing follows from it, and who takes it back leaves no trace (decision 0042).
create table event_reactions (
  user_id    integer        not null,
  kind       text           not null check (kind in ('like', 'bookmark', 'interest')),
  event_id   integer        not null,
  -- Of an interest, which of the two; empty for the others.
  value      text           not null check (value in ('', 'interested', 'going')),
  created_at timestamptz(3) not null,
  primary key (user_id, kind, event_id)
);

-- Who shared an event: `user:7`, or a digest of a visitor's network, kept for 30 days.
create table event_shares (
  event_id   integer        not null,
  sharer     text           not null,
  created_at timestamptz(3) not null,
  primary key (event_id, sharer)
);
create index event_shares_visitors on event_shares (created_at) where sharer like 'visitor:%';

-- The sums of all these, in the transaction of what is summed. Apart from the listing, so that a rebuild leaves them alone.
create table event_counts (
  event_id   integer primary key,
  likes      integer not null default 0,
  comments   integer not null default 0,
  interested integer not null default 0,
  going      integer not null default 0,
  shares     integer not null default 0,
  views      integer not null default 0
) with (fillfactor = 50);

-- The key of a day, by which its visitors are told apart, and which of them were counted: both dropped after the day. Unlogged, so that
-- neither the log of PostgreSQL nor its replicas have a copy; a crash of PostgreSQL empties both.
create unlogged table view_keys (
  day date  primary key,
  key bytea not null
);
create unlogged table view_visitors (
  day      date    not null,
  visitor  bytea   not null,
  event_id integer not null,
  primary key (day, visitor)
);
