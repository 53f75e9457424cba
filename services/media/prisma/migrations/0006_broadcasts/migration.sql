-- Read models of the streams broadcast-<eventId>.
create table broadcasts (
  event_id       integer primary key,
  status         text        not null,
  source         text,
  -- The signal that comes, or that was lost.
  session        text,
  is_receiving   boolean     not null,
  lost_at        timestamptz,
  live_since     timestamptz,
  ended_at       timestamptz,
  end_reason     text,
  key_digest     text,
  key_ending     text,
  key_made_at    timestamptz,
  livestream_url text
);
create index broadcasts_live on broadcasts (event_id) where status = 'live';
create table broadcast_recordings (
  session     text primary key,
  event_id    integer     not null,
  started_at  timestamptz not null,
  duration_ms bigint      not null,
  bytes       bigint      not null
);
create index broadcast_recordings_of_event on broadcast_recordings (event_id, started_at);

-- What the catalog says of events and their live streams; each part takes only newer versions.
create table broadcast_terms (
  event_id          integer primary key,
  title             text    not null,
  owner_id          integer,
  is_ticketed       boolean not null,
  event_status      text    not null,
  event_version     integer not null,
  stream_status     text,
  start_time        timestamptz,
  end_time          timestamptz,
  max_viewers       integer,
  chat_enabled      boolean,
  recording_enabled boolean,
  stream_version    integer not null
);

-- Operational: who watches now, one row per open page, until it has left for a while.
create table broadcast_seats (
  event_id   integer     not null,
  viewer_id  uuid        not null,
  -- An account, or a digest of a network: nobody takes all seats.
  holder     text        not null,
  expires_at timestamptz not null,
  primary key (event_id, viewer_id)
);
create index broadcast_seats_live on broadcast_seats (event_id, expires_at);
create index broadcast_seats_old on broadcast_seats (expires_at);
create table broadcast_audiences (
  event_id integer primary key,
  total    integer not null,
  peak     integer not null
);
create table broadcast_minutes (
  event_id integer     not null,
  at       timestamptz not null,
  viewers  integer     not null,
  primary key (event_id, at)
);

-- The key under which addresses of streams and recordings are signed; whoever needs it first makes it.
create table broadcast_keys (
  id  integer primary key check (id = 1),
  key bytea   not null
);

-- Operational: signals that come in now, and where they can; written every second by the process that takes them in.
create table broadcast_signals (
  session  text primary key,
  event_id integer     not null,
  seen_at  timestamptz not null
);
create table broadcast_ingests (
  id       text primary key,
  rtmp_url text,
  has_whip boolean     not null,
  reason   text,
  seen_at  timestamptz not null
);
-- Operational: recordings that are not in storage yet.
create table broadcast_pending (
  session  text primary key,
  event_id integer     not null,
  since    timestamptz not null
);
create index broadcast_pending_of_event on broadcast_pending (event_id);
