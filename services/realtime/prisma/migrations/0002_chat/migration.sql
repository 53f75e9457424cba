-- Events as the catalog tells of them: there is a room for each of these.
create table chat_events (
  event_id integer primary key,
  owner_id integer not null,
  title    text    not null,
  status   text    not null,
  version  bigint  not null
);

-- Read models of the streams `room-…`; `npm run rebuild` makes them anew.
create table chat_rooms (
  room              text collate "C" primary key,
  seq               integer not null,
  name              text,
  description       text,
  is_active         boolean not null,
  slow_mode_seconds integer not null
) with (fillfactor = 50);

create table chat_messages (
  room         text collate "C" not null,
  seq          integer          not null,
  -- Of the event that posted it: where its text is in the log.
  version      bigint           not null,
  id           uuid             not null,
  user_id      integer,
  guest_id     uuid,
  user_name    text             not null,
  message      text             not null,
  is_system    boolean          not null,
  is_organiser boolean          not null,
  is_demo      boolean          not null,
  created_at   timestamptz(3)   not null,
  removed_at   timestamptz(3),
  primary key (room, seq)
);
create index chat_messages_user on chat_messages (user_id, created_at) where user_id is not null;
create index chat_messages_removed on chat_messages (removed_at) where removed_at is not null;

create table chat_mutes (
  room     text collate "C" not null,
  person   text             not null,
  seq      integer          not null,
  until    timestamptz(3),
  muted_at timestamptz(3)   not null,
  primary key (room, person)
);

-- Rows of their own, which a rebuild leaves alone.
create table chat_reactions (
  room     text collate "C" not null,
  seq      integer          not null,
  reaction text             not null,
  person   text             not null,
  given_at timestamptz(3)   not null default now(),
  primary key (room, seq, reaction, person)
);
create index chat_reactions_person on chat_reactions (person);

-- What is counted of them, and when that changed.
create table chat_reaction_counts (
  room       text collate "C" not null,
  seq        integer          not null,
  counts     jsonb            not null,
  changed_at timestamptz(3)   not null default now(),
  primary key (room, seq)
) with (fillfactor = 50);
create index chat_reaction_counts_changed on chat_reaction_counts (changed_at);

create table chat_reports (
  room        text collate "C" not null,
  seq         integer          not null,
  reporter_id integer          not null,
  reason      text             not null,
  note        text,
  -- What the message said then.
  message     text             not null,
  reported_at timestamptz(3)   not null default now(),
  settled_at  timestamptz(3),
  primary key (room, seq, reporter_id)
);
create index chat_reports_open on chat_reports (room, seq) where settled_at is null;
create index chat_reports_reporter on chat_reports (reporter_id, reported_at);

-- Which network a guest wrote from, as a digest under a key of this database, so that a mute holds for a guest with a new key too.
create table chat_guests (
  guest_id uuid           primary key,
  network  bytea          not null,
  seen_at  timestamptz(3) not null default now()
);
create index chat_guests_network on chat_guests (network);
create index chat_guests_seen on chat_guests (seen_at);

create table chat_keys (
  id  smallint primary key check (id = 1),
  key bytea    not null
);
