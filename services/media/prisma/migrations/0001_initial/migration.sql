create sequence photo_ids as integer;

create sequence video_ids as integer;

create table images (
  source_hash text primary key check (source_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  uploaded_by integer,
  created_at timestamptz not null default now(),
  -- The mean of its colors, rrggbb, which is part of its name.
  tint text not null check (tint ~ '^[0-9a-f]{6}$')
);
create index images_hash on images (hash);

create table posters (
  event_id integer primary key,
  title text not null,
  location text not null,
  event_date text not null,
  event_start_time text not null,
  tags text[] not null,
  version text not null,
  -- Version of the catalog's stream: an older message never replaces a newer row.
  catalog_version integer not null default 0,
  -- The last of several days, as event_date; null: one day.
  event_last_date text
);

-- Who uploaded the same bytes after the first: the picture stays for them when the first account is erased.
create table further_uploads (
  source_hash text not null,
  -- 0 for an ad, which belongs to no account.
  uploaded_by integer not null,
  created_at timestamptz not null default now(),
  primary key (source_hash, uploaded_by)
);
create index further_uploads_of_person on further_uploads (uploaded_by);

-- Read model of the streams uploader-<userId>: businesses that requested verification.
create table uploaders (
  user_id integer primary key,
  state text not null,
  asked_at timestamptz not null,
  decided_at timestamptz
);
create index uploaders_asked on uploaders (asked_at) where state = 'asked';

create table uploader_requests (
  user_id integer primary key,
  business_name text not null,
  about text not null
);

-- The catalog's latest state of an event, as far as photos and clips need it.
create table gallery_events (
  event_id integer primary key,
  title text not null,
  starts_at timestamptz not null,
  status text not null,
  catalog_version integer not null,
  -- The event is suspended: its clips leave Top Picks.
  is_suspended boolean not null default false
);

-- Ticketing's orders: who holds tickets of which event.
create table ticket_orders (
  order_id uuid primary key,
  event_id integer not null,
  -- null: a guest's order, an erased account's, or the purchase has not arrived.
  buyer_id integer,
  bought integer not null,
  returned integer not null,
  -- All tickets were returned, whatever arrives later.
  is_returned boolean not null,
  -- True while a lost dispute makes the order's tickets void, and the version of ticketing's message about it: a newer
  -- message replaces it.
  is_void boolean not null default false,
  validity_version integer not null default 0
);
create index ticket_orders_buyer on ticket_orders (buyer_id, event_id);

-- Read model of the streams broadcast-<eventId>.
create table broadcasts (
  event_id integer primary key,
  status text not null,
  source text,
  -- The current or lost signal; null: none.
  session text,
  is_receiving boolean not null,
  lost_at timestamptz,
  live_since timestamptz,
  ended_at timestamptz,
  end_reason text,
  key_digest text,
  key_ending text,
  key_made_at timestamptz,
  livestream_url text,
  -- Since when the current signal arrives: its segments are numbered after those of the previous one.
  signal_since timestamptz,
  -- The demo's clip that plays instead of a signal; null: none.
  clip text
);
create index broadcasts_live on broadcasts (event_id) where status = 'live';

-- Read model of the same streams: stored recordings, one per signal.
create table broadcast_recordings (
  session text primary key,
  event_id integer not null,
  started_at timestamptz not null,
  duration_ms bigint not null,
  bytes bigint not null
);
create index broadcast_recordings_of_event on broadcast_recordings (event_id, started_at);

-- The catalog's state of events and their live streams; each part takes only newer versions.
create table broadcast_terms (
  event_id integer primary key,
  title text not null,
  owner_id integer,
  is_ticketed boolean not null,
  event_status text not null,
  event_version integer not null,
  stream_status text,
  start_time timestamptz,
  end_time timestamptz,
  max_viewers integer,
  chat_enabled boolean,
  recording_enabled boolean,
  stream_version integer not null
);

-- Who watches now: one row per open page, deleted a day after its seat expired. Not a read model.
create table broadcast_seats (
  event_id integer not null,
  viewer_id uuid not null,
  -- An account, or a digest of a network: it may hold only some of the seats.
  holder text not null,
  expires_at timestamptz not null,
  primary key (event_id, viewer_id)
);
create index broadcast_seats_live on broadcast_seats (event_id, expires_at);
create index broadcast_seats_old on broadcast_seats (expires_at);

create table broadcast_audiences (
  event_id integer primary key,
  total integer not null,
  peak integer not null
);

create table broadcast_minutes (
  event_id integer not null,
  at timestamptz not null,
  viewers integer not null,
  primary key (event_id, at)
);

-- The key that signs addresses of streams and recordings; the first process that needs it creates it.
create table broadcast_keys (
  id integer primary key check (id = 1),
  key bytea not null
);

-- Signals that arrive now; updated every second by the process that receives them. Not a read model.
create table broadcast_signals (
  session text primary key,
  event_id integer not null,
  seen_at timestamptz not null
);

-- Processes that can receive signals, updated every second; `reason`: why one receives none. Not a read model.
create table broadcast_ingests (
  id text primary key,
  rtmp_url text,
  has_whip boolean not null,
  reason text,
  seen_at timestamptz not null
);

-- Recordings that are not in storage yet. Not a read model.
create table broadcast_pending (
  session text primary key,
  event_id integer not null,
  since timestamptz not null
);
create index broadcast_pending_of_event on broadcast_pending (event_id);

-- Views of a video, once per visitor and day (docs/decisions/0042).
create table video_view_counts (
  video_id integer primary key,
  views integer not null
);

-- The key of a day for digests of its visitors, deleted after the day. Unlogged: neither the write-ahead log nor a
-- replica has a copy, and a crash of PostgreSQL empties it.
create unlogged table view_keys (
  day date primary key,
  key bytea not null
);

-- The visitors that were counted on a day, deleted after it. Unlogged like view_keys.
create unlogged table video_visitors (
  day date not null,
  visitor bytea not null,
  video_id integer not null,
  primary key (day, visitor)
);

-- Files of videos that are in storage, or may be: a row is written before its file and deleted after it.
create table video_files (
  name text primary key,
  bytes integer not null
);

-- The catalog's events: who organizes each, for the right to a clip.
create table clip_events (
  event_id integer primary key,
  -- null: not known yet, or erased.
  owner_id integer,
  is_canceled boolean not null
);
create index clip_events_owner on clip_events (owner_id);

-- Paid promotions that include a clip in Top Picks.
create table clip_rights (
  promotion_id uuid primary key,
  event_id integer not null,
  -- The end of the right; -infinity: the promotion ended early.
  until timestamptz not null
);
create index clip_rights_event on clip_rights (event_id);

-- Which upload uses the right. The row is written before the video, and deleted with it.
create table clip_uses (
  promotion_id uuid primary key,
  video_id integer not null,
  used_at timestamptz not null
);
create index clip_uses_video on clip_uses (video_id);

-- Photos of the gallery and videos of Top Picks (docs/decisions/0108). Read model of the streams photo-<id> and
-- video-<id>: a removed one has no row.
create table items (
  kind text not null check (kind in ('photo', 'video')),
  id integer not null,
  user_id integer not null,
  status text not null check (status in ('pending', 'shown', 'rejected')),
  -- The name in storage and in the address: the hash of the large size, and its tint. For a video, the picture is its
  -- thumbnail.
  picture text not null,
  -- Photos only; width and height of the large size, in pixels.
  event_id integer,
  width integer,
  height integer,
  -- Videos only; the file's name in storage is the hash of its bytes with its extension.
  category text,
  file text,
  -- The paid promotion that includes this clip; null: none.
  promotion_id uuid,
  is_featured boolean not null,
  uploaded_at timestamptz not null,
  primary key (kind, id)
);
create index items_shown on items (kind, id) where status = 'shown';
create index items_pending on items (kind, id) where status = 'pending';
create index items_uploader on items (user_id, kind, id);
create index items_picture on items (picture);
create index items_shown_of_event on items (event_id, id) where kind = 'photo' and status = 'shown';
create index items_shown_of_category on items (category, id) where kind = 'video' and status = 'shown';
create index items_leading on items (id) 
  where kind = 'video' and status = 'shown' and (is_featured or promotion_id is not null);
create index items_file on items (file) where file is not null;

-- Texts that people wrote: not in the log, so that they can be deleted with their photo or video.
create table item_texts (
  kind text not null,
  id integer not null,
  title text not null,
  description text,
  -- The name of the uploader's account at the upload; null for photos.
  uploaded_by text,
  -- Why an admin rejected it.
  reason text,
  written_at timestamptz not null,
  primary key (kind, id)
);
create index item_texts_written on item_texts (written_at);

create table item_likes (
  kind text not null,
  id integer not null,
  user_id integer not null,
  created_at timestamptz not null,
  primary key (kind, id, user_id)
);
create index item_likes_user on item_likes (user_id, kind, created_at desc);

create table item_like_counts (
  kind text not null,
  id integer not null,
  likes integer not null,
  primary key (kind, id)
);
