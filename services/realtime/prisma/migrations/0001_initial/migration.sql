-- Ticketing's latest stock of an event, and when it arrived: an instance that starts reads the latest changes.
create table stock (
  event_id integer primary key,
  capacity integer not null,
  sold integer not null,
  held integer not null,
  version bigint not null,
  changed_at timestamptz(3) not null default now()
) with (fillfactor = 50);

-- Events from the catalog; each has a chat room.
create table chat_events (
  event_id integer primary key,
  owner_id integer not null,
  title text not null,
  status text not null,
  version bigint not null
);
-- For messages that were reported in the rooms of one organizer.
create index chat_events_owner on chat_events (owner_id);

-- Read model of the streams room-<event id> and room-region: settings by moderators; null: the event's own.
create table chat_rooms (
  room text collate "C" primary key,
  seq integer not null,
  name text,
  description text,
  is_active boolean not null,
  slow_mode_seconds integer not null
) with (fillfactor = 50);

-- Read model of the same streams: messages, numbered from 1 in each room. A removed one keeps its number and loses its
-- text.
create table chat_messages (
  room text collate "C" not null,
  seq integer not null,
  -- Version of the log event that posted it, which has the text, too.
  version bigint not null,
  id uuid not null,
  -- The account or guest that wrote it; null for both: the room itself, or an erased account.
  user_id integer,
  guest_id uuid,
  user_name text not null,
  message text not null,
  is_system boolean not null,
  is_organizer boolean not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (room, seq)
);
create index chat_messages_user on chat_messages (user_id, created_at) where user_id is not null;
create index chat_messages_removed on chat_messages (removed_at) where removed_at is not null;

-- Read model of the same streams: people who may not write in a room.
create table chat_mutes (
  room text collate "C" not null,
  -- `account:<id>` or `guest:<id>`.
  person text not null,
  seq integer not null,
  -- null: permanently.
  until timestamptz(3),
  muted_at timestamptz(3) not null,
  primary key (room, person)
);

-- Reactions to messages, one per person, message and kind. Not a read model: a rebuild keeps it.
create table chat_reactions (
  room text collate "C" not null,
  seq integer not null,
  reaction text not null,
  person text not null,
  given_at timestamptz(3) not null default now(),
  primary key (room, seq, reaction, person)
);
create index chat_reactions_person on chat_reactions (person);

-- Counts of a message's reactions by kind, and when they last changed. Not a read model: a rebuild keeps it.
create table chat_reaction_counts (
  room text collate "C" not null,
  seq integer not null,
  counts jsonb not null,
  changed_at timestamptz(3) not null default now(),
  primary key (room, seq)
) with (fillfactor = 50);
create index chat_reaction_counts_changed on chat_reaction_counts (changed_at);

-- The networks that a guest wrote from, as digests, so that a mute also holds for a guest with a new key. Each is
-- deleted after 30 days, unless the guest is muted.
create table chat_guests (
  guest_id uuid not null,
  network bytea not null,
  seen_at timestamptz(3) not null default now(),
  primary key (guest_id, network)
);
create index chat_guests_network on chat_guests (network);
create index chat_guests_seen on chat_guests (seen_at);

-- The secret for guests' keys and for digests of their networks.
create table chat_keys (
  id smallint primary key check (id = 1),
  key bytea not null
);

-- The catalog's latest state of an event, as far as notifications need it.
create table noted_events (
  event_id integer primary key,
  owner_id integer not null,
  title text not null,
  location text not null,
  -- Midnight in New York at the start of the first day.
  event_date timestamptz(3) not null,
  event_start_time text not null,
  event_end_time text,
  status text not null check (status in ('published', 'postponed', 'canceled')),
  -- Version of the event's stream.
  version integer not null,
  -- True once followers of the organizer were notified, or the message was too late for that.
  is_announced boolean not null default false,
  -- Midnight in New York at the start of the last day; null: the event takes one day.
  event_last_date timestamptz(3),
  -- The event is suspended: followers and saved searches are not notified of it.
  is_suspended boolean not null default false
);

-- Ticketing's orders, as far as notifications need them.
create table noted_orders (
  order_id uuid primary key,
  event_id integer not null,
  -- null: a guest's order, or the purchase has not arrived.
  buyer_id integer,
  -- Tickets bought; 0 until the purchase arrives.
  quantity integer not null,
  -- The reason of the last return; null: none.
  ended_by text,
  -- Tickets returned, stored separately because messages arrive in any order; more than were bought: all.
  returned integer not null default 0,
  -- True once the purchase was handled: it notifies the buyer once.
  is_bought boolean not null default false,
  -- True while a lost dispute makes the order's tickets void, and the version of ticketing's message about it: a newer
  -- message replaces it.
  is_void boolean not null default false,
  validity_version integer not null default 0
);
create index noted_orders_event_id on noted_orders (event_id, buyer_id);
create index noted_orders_buyer_id on noted_orders (buyer_id);

create table notifications (
  id bigint primary key generated always as identity,
  user_id integer not null,
  kind text not null,
  -- Identifies the fact: a message that is delivered twice has one row.
  key text not null,
  event_id integer,
  -- By kind: an organizer, a comment, a question, or the account itself (a badge).
  subject_id integer,
  count integer not null default 1,
  amount_cents bigint,
  -- Version of the event that changed, or number of the moderators' decision: a higher one notifies again. 0 for other
  -- kinds.
  version integer not null default 0,
  detail text,
  -- When it last notified.
  at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  -- False: it is only mailed or pushed.
  on_page boolean not null default true,
  unique (user_id, key)
);
create index notifications_of on notifications (user_id, at desc, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_at on notifications (at);

-- An account's notification settings; without a row all kinds are on the page and pushed, and none is mailed.
create table notification_preferences (
  user_id integer primary key,
  -- Kinds that the page does not show.
  page_off text[] not null,
  -- Kinds that are mailed.
  mail_on text[] not null,
  -- All of them in one mail a day.
  is_daily boolean not null,
  -- Kinds that are not pushed.
  push_off text[] not null default '{}'
);

-- Browsers that show notifications of an account (Web Push, RFC 8030).
create table push_subscriptions (
  id bigint primary key generated always as identity,
  user_id integer not null,
  -- The session that registered the browser: the row is deleted when it ends.
  session_id uuid not null,
  -- The address at the browser's push service. Secret: with the keys, anyone can push to the browser.
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  added_at timestamptz(3) not null default now()
);
create index push_subscriptions_user_id on push_subscriptions (user_id, id);
create index push_subscriptions_session_id on push_subscriptions (session_id);

-- Sessions that ended within the last day: a concurrent request can no longer register a browser for them.
create table ended_sessions (
  id uuid primary key,
  ended_at timestamptz not null default now()
);

-- Accounts as the community needs them: name, age, and whether they have a public profile.
create table community_people (
  user_id integer primary key,
  -- The name in the token when they last wrote; null: they have not written.
  name text,
  -- null until identity's message about the account arrives.
  registered_at timestamptz(3),
  -- Whether they have a public profile, by identity's latest message.
  is_visible boolean not null default false
);

-- Blocks between accounts: neither sees the other's content.
create table community_blocks (
  id integer primary key generated always as identity,
  user_id integer not null,
  blocked_id integer not null,
  created_at timestamptz(3) not null,
  unique (user_id, blocked_id),
  check (blocked_id <> user_id)
);
create index community_blocks_of on community_blocks (user_id, id desc);
create index community_blocks_blocked on community_blocks (blocked_id);

-- Texts by accounts, one row each: comments on events, posts, comments on posts, questions, answers
-- (docs/decisions/0108).
create table contributions (
  id integer primary key generated always as identity,
  kind text not null check (kind in ('comment', 'post', 'post-comment', 'question', 'answer')),
  author_id integer not null,
  -- The event it is about; below a parent, the parent's event.
  event_id integer,
  -- A place of the gazetteer, and the town that it is in, or is.
  place_id text,
  town_id text,
  parent_id integer references contributions (id) on delete cascade,
  -- null: erased. The row stays for the contributions below it, or because moderators hid it.
  text text,
  -- Counts changes of the text.
  version integer not null default 0,
  -- Digest of the text without invisible characters, where an author may not repeat a text; a hidden text keeps it.
  -- null: repeats are allowed, or the text was erased.
  text_key text,
  image_url text,
  category text,
  -- True if the author was the event's owner or an admin when writing; only below a parent.
  is_verified boolean not null default false,
  is_pinned boolean not null default false,
  -- Pinned on the whole board: a question about an event is pinned only among the event's questions.
  is_top boolean not null generated always as (is_pinned and event_id is null) stored,
  -- The contribution below it that its author accepted.
  accepted_id integer,
  is_answered boolean not null generated always as (accepted_id is not null) stored,
  likes integer not null default 0 check (likes >= 0),
  shares integer not null default 0 check (shares >= 0),
  -- Visible contributions directly below it.
  below integer not null default 0 check (below >= 0),
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  hidden_at timestamptz(3),
  hidden_by_admin boolean not null default false,
  document tsvector generated always as (
    case when kind = 'question' then to_tsvector('english'::regconfig, coalesce(text, '')) end
  ) stored
);
create index contributions_of on contributions (author_id, kind, id desc);
create index contributions_below on contributions (parent_id, id) where parent_id is not null;
create unique index contributions_said_once on contributions (event_id, author_id, text_key) where text_key is not null;
create index contributions_hidden on contributions (id desc)
  where kind = 'comment' and hidden_at is not null and deleted_at is null;
-- Media asks which stored pictures are in use (src/contributions/pictures.ts).
create index contributions_image on contributions (image_url) where image_url is not null;
create index comments_newest on contributions (event_id, id desc) 
  where kind = 'comment' and parent_id is null and (below > 0 or (deleted_at is null and hidden_at is null));
create index posts_newest on contributions (id desc) where kind = 'post';
create index posts_event on contributions (event_id, id desc) where kind = 'post';
create index posts_place on contributions (place_id, id desc) where kind = 'post';
create index posts_town on contributions (town_id, id desc) where kind = 'post';
create index questions_newest on contributions (is_top desc, id desc) where kind = 'question';
create index questions_category on contributions (category, is_top desc, id desc) where kind = 'question';
create index questions_place on contributions (place_id, is_top desc, id desc) where kind = 'question';
create index questions_town on contributions (town_id, is_top desc, id desc) where kind = 'question';
create index questions_answered on contributions (is_answered, is_top desc, id desc) where kind = 'question';
create index questions_event on contributions (event_id, is_pinned desc, id desc) where kind = 'question';
create index questions_words on contributions using gin (document) where kind = 'question';

-- Likes, shares and follows of a contribution, one of each per account.
create table contribution_marks (
  contribution_id integer not null references contributions (id) on delete cascade,
  mark text not null check (mark in ('like', 'share', 'follow')),
  user_id integer not null,
  created_at timestamptz(3) not null,
  primary key (contribution_id, mark, user_id)
);
create index contribution_marks_of on contribution_marks (user_id, mark, created_at desc);

-- Moderators' actions. No foreign key: they outlive the contribution.
create table contribution_moderations (
  id integer primary key generated always as identity,
  contribution_id integer not null,
  action text not null check (action in ('hide', 'restore', 'keep')),
  moderator_id integer not null,
  is_admin boolean not null,
  created_at timestamptz(3) not null
);
create index contribution_moderations_of on contribution_moderations (contribution_id, id desc);

-- The text of a contribution when it was reported; deleted when the text is erased.
create table reported_texts (
  contribution_id integer not null references contributions (id) on delete cascade,
  version integer not null,
  text text not null,
  primary key (contribution_id, version)
);

-- The number of visible comments of an event. The catalog keeps the number with the highest version.
create table event_comments (
  event_id integer primary key,
  comments integer not null check (comments >= 0),
  version integer not null
);
