create extension if not exists pg_trgm;

create text search dictionary search_stem (template = snowball, language = 'english');

create sequence event_ids as integer;

create function search_lexeme(word text) returns text
  language sql immutable strict parallel safe
  return coalesce((ts_lexize('public.search_stem', word))[1], word);

-- The word, and the word without each of its letters: two words that share one of these differ by one or two mistakes.
create function search_deletes(word text) returns text[]
  language sql immutable strict parallel safe
  return case when length(word) between 4 and 24
    then array(select word union select left(word, at - 1) || substr(word, at + 1) from generate_series(1, length(word)) at order by 1)
    else array[word] end;

-- Tickets sold on a logarithmic scale on which four steps are a doubling: it seldom changes, and so does its index
-- (services/catalog/PRODUCT.md#search).
create function search_popularity(sold integer) returns integer
  language sql immutable strict parallel safe
  return floor(4 * ln(1 + greatest(sold, 0)) / ln(2) + 1e-9)::integer;

-- The lexemes of an event, each after the field in which it is found: 1 title, 2 title or tags, 3 also the place, 4
-- anywhere. Marks are added unchanged.
create function search_document(title text[], tags text[], place text[], description text[], marks text[]) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(array(
    select distinct field || search_lexeme(word)
    from (select unnest(title) as word, 1 as least union all select unnest(tags), 2
          union all select unnest(place), 3 union all select unnest(description), 4) words,
      generate_series(least, 4) field
    union select unnest(marks)));

-- Read model of the streams event-<id>: events as lists and pages show them. Amounts in cents. Besides its projection
-- only src/search/catch-up.ts writes it, and only the place.
create table listings (
  event_id integer primary key,
  organizer_id integer not null,
  status text not null check (status in ('published', 'postponed', 'suspended', 'canceled')),
  title text not null,
  description text not null,
  location text not null,
  -- null: the event shows its poster.
  picture_url text,
  video_url text,
  tags text[] not null,
  event_date timestamptz(3) not null,
  event_start_time text not null,
  event_end_time text,
  contact_email text not null,
  has_tickets boolean not null,
  ticket_sales_enabled boolean not null,
  price_cents integer,
  capacity integer,
  sales_start timestamptz(3),
  sales_end timestamptz(3),
  is_sponsored boolean not null default false,
  promotion_level text not null default 'none' check (promotion_level in ('none', 'featured', 'premium', 'livestream')),
  promotion_paid boolean not null default false,
  promotion_amount integer not null default 0,
  promotion_ends_at timestamptz(3),
  is_livestream boolean not null default false,
  livestream_url text,
  livestream_status text not null default 'scheduled',
  livestream_start_time timestamptz(3),
  livestream_end_time timestamptz(3),
  created_at timestamptz(3) not null,
  version integer not null,
  place_id text,
  place_name text,
  place_state text,
  lat double precision,
  lon double precision,
  -- When the event last changed, or was published; promotions do not count. Calendars show it.
  changed_at timestamptz(3) not null default now(),
  -- The series of which the event is a date: the id of the event on its first day. null: none.
  series_id integer,
  -- Configuration of the live stream; null: none.
  livestream_max_viewers integer,
  livestream_chat_enabled boolean,
  livestream_recording_enabled boolean,
  -- Buyers may cancel until this many hours before the event begins; null: never.
  refund_deadline_hours integer default 24,
  -- True if the position is that of the town or neighborhood that contains the location.
  place_is_approximate boolean not null default false,
  -- Midnight in New York at the start of the last day; null: the event takes one day.
  event_last_date timestamptz(3),
  -- True for a suspended event that is also postponed. Suspended events are in no list.
  suspended_without_date boolean not null default false,
  -- The organizer states free entry without a ticket; null: not stated.
  free_entry boolean,
  -- The exact address, in addition to the location; null: none.
  address text
);
create index listings_soonest on listings (event_date, event_id) where status = 'published';
create index listings_organizer on listings (organizer_id, created_at desc);
create index listings_postponed on listings (event_date desc, event_id desc) where status = 'postponed';
create index listings_of_series on listings (series_id, event_date) where series_id is not null;
-- Upcoming and current live streams.
create index listings_livestreams on listings (livestream_end_time)
  where is_livestream and livestream_status in ('scheduled', 'live');
-- Media asks whether a stored picture is in use (src/event/pictures.ts).
create index listings_picture on listings (picture_url) where picture_url like '/media/images/%';
create index listings_several_days on listings (event_last_date)
  where status = 'published' and event_last_date is not null;

-- Ticketing's latest stock of an event. A separate table, so that a rebuild of the listings keeps it; no foreign key,
-- because it may arrive before the event.
create table stock (
  event_id integer primary key,
  sold integer not null,
  held integer not null,
  version bigint not null
) with (fillfactor = 50);

-- The search index: one narrow row per published or postponed event, written with its listing.
create table event_search (
  event_id integer primary key,
  -- Start and end are 'infinity' while the event is postponed.
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- Cents; 0: free entry, null: not stated.
  price_cents integer,
  -- Tickets; null: none are sold.
  capacity integer,
  sales_start timestamptz(3),
  sales_end timestamptz(3),
  popularity integer not null,
  -- Miles east and north of the center of the region; null: unknown.
  position point,
  document tsvector not null ,
  -- Versions of the listing and of the indexing code (src/search/document.ts): outdated rows are written again.
  event_version integer not null,
  index_version integer not null,
  several_days boolean not null default false
) with (toast_tuple_target = 256, fillfactor = 90);
alter table event_search alter column document set statistics 400;
create index event_search_soonest on event_search (starts_at, event_id);
create index event_search_newest on event_search (created_at, event_id);
create index event_search_popular on event_search (popularity desc, starts_at, event_id);
create index event_search_document on event_search using gin (document);
create index event_search_position on event_search using gist (position);
create index event_search_several_days on event_search (ends_at) where several_days;

-- Every word that an event has ever contained: completes and corrects the words of a search.
create table search_words (
  word text primary key,
  lexeme text not null,
  deletes text[] not null generated always as (search_deletes(word)) stored
);
create index search_words_lexeme on search_words (lexeme);
create index search_words_prefix on search_words (word text_pattern_ops);
create index search_words_deletes on search_words using gin (deletes);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);

-- Likes, bookmarks and interests of accounts. Rows, not events: a withdrawn one leaves no trace (docs/decisions/0042).
create table event_reactions (
  user_id integer not null,
  kind text not null check (kind in ('like', 'bookmark', 'interest')),
  event_id integer not null,
  -- `interested` or `going` for an interest, else empty.
  value text not null check (value in ('', 'interested', 'going')),
  created_at timestamptz(3) not null,
  primary key (user_id, kind, event_id)
);

-- Who shared an event, counted once each.
create table event_shares (
  event_id integer not null,
  -- `user:7`, or `visitor:` and a digest of the visitor's network, deleted after 30 days.
  sharer text not null,
  created_at timestamptz(3) not null,
  primary key (event_id, sharer)
);
create index event_shares_visitors on event_shares (created_at) where sharer like 'visitor:%';

-- Counts of an event's reactions, comments, shares and views, written in the transaction of what is counted. Not a read
-- model: a rebuild keeps it.
create table event_counts (
  event_id integer primary key,
  likes integer not null default 0,
  comments integer not null default 0,
  interested integer not null default 0,
  going integer not null default 0,
  shares integer not null default 0,
  views integer not null default 0,
  comments_version integer not null default 0
) with (fillfactor = 50);

-- The key of a day for digests of its visitors, deleted after the day. Unlogged: neither the write-ahead log nor a
-- replica has a copy, and a crash of PostgreSQL empties it.
create unlogged table view_keys (
  day date primary key,
  key bytea not null
);

-- The visitors that were counted on a day, deleted after it. Unlogged like view_keys.
create unlogged table view_visitors (
  day date not null,
  visitor bytea not null,
  event_id integer not null,
  primary key (day, visitor)
);

-- An account's name, from its token when it first acted here.
create table accounts (
  user_id integer primary key,
  name text not null
);

-- Search rows of canceled events, with the columns of event_search. Only feeds read them, so that calendars learn of
-- the cancellation. src/search/catch-up.ts adds missing rows when the service starts.
create table canceled_search (
  event_id integer primary key,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  price_cents integer,
  capacity integer,
  sales_start timestamptz(3),
  sales_end timestamptz(3),
  popularity integer not null,
  position point,
  document tsvector not null,
  event_version integer not null,
  index_version integer not null,
  several_days boolean not null default false
);
create index canceled_search_soonest on canceled_search (starts_at, event_id);
create index canceled_search_document on canceled_search using gin (document);
create index canceled_search_several_days on canceled_search (ends_at) where several_days;

-- Results of the geocoding service for locations that the gazetteer is not sure of. Not a read model: a rebuild keeps
-- it.
create table located (
  -- As the organizer wrote it.
  location text primary key,
  -- Degrees, WGS 84.
  lat double precision not null,
  lon double precision not null,
  state text not null check (state in ('DC', 'MD', 'VA')),
  check ((lat is null) = (lon is null) and (lat is null) = (state is null))
);

-- Which accounts follow which organizers: one row per pair, so that a repeat changes nothing.
create table follows (
  follower_id integer not null,
  organizer_id integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (follower_id, organizer_id)
);
create index follows_organizer on follows (organizer_id);
create index follows_latest on follows (follower_id, created_at desc);

-- Requested series of events. Once all events are in the log, only the organizer and the days remain
-- (src/series/series.ts).
create table event_series (
  series_id integer primary key,
  organizer_id integer not null,
  details jsonb,
  asked_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  published_at timestamptz(3)
);
create index event_series_open on event_series (created_at) where published_at is null;

create table series_dates (
  series_id integer not null references event_series (series_id),
  day date not null,
  event_id integer not null unique,
  primary key (series_id, day)
);

-- Read model of the streams event-<id>: promotions in force, one per event and level.
create table promotions (
  event_id integer not null,
  level text not null check (level in ('featured', 'premium', 'livestream')),
  ends_at timestamptz(3) not null,
  primary key (event_id, level)
);
create index promotions_ending on promotions (ends_at);
create index promotions_of_level on promotions (level, event_id);

-- Read model of the streams ad-<id>: paid ads.
create table ads (
  ad_id uuid primary key,
  payment_id text not null,
  package_id text not null,
  slot text not null check (slot in ('banner', 'block')),
  days integer not null,
  max_impressions integer,
  guaranteed_impressions integer,
  business_name text not null,
  event_title text not null,
  -- SHA-256 of the key in the buyer's link, in hex.
  key_hash text not null,
  -- The buyer's latest submission, counted from 1 (0: none), and whether an admin has yet to review it.
  submission integer not null,
  submitted_at timestamptz(3),
  sent_image_url text,
  sent_link_url text,
  sent_title text,
  sent_alt text,
  is_waiting boolean not null,
  rejection text,
  -- The approved submission that is on the pages; null: none.
  shown_submission integer,
  shown_image_url text,
  shown_link_url text,
  shown_title text,
  shown_alt text,
  bought_at timestamptz(3) not null,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  is_extended boolean not null,
  ended_at timestamptz(3),
  -- Why the ad ended; null: it has not.
  end_reason text
);
create index ads_open on ads (slot) where ends_at is not null and ended_at is null;
create index ads_waiting on ads (submitted_at, ad_id) where is_waiting;
create index ads_latest on ads (bought_at desc, ad_id desc);
create index ads_sent_image on ads (sent_image_url) where sent_image_url like '/media/images/%';
create index ads_shown_image on ads (shown_image_url) where shown_image_url like '/media/images/%';

-- Impressions and clicks of an ad. Not a read model: a rebuild keeps it.
create table ad_counts (
  ad_id uuid primary key,
  impressions integer not null default 0,
  clicks integer not null default 0
) with (fillfactor = 50);

-- Impressions and clicks of an ad on a day in New York. Not a read model: a rebuild keeps it.
create table ad_days (
  ad_id uuid not null,
  day date not null,
  impressions integer not null default 0,
  clicks integer not null default 0,
  primary key (day, ad_id)
) with (fillfactor = 50);

-- Which visitors of a day saw an ad or a promoted event, in which page views, and whether they clicked: digests with
-- the key of the day (view_keys), deleted after the day. Unlogged like view_keys.
create unlogged table ad_visitors (
  day date not null,
  visitor bytea not null,
  -- Digests of the page views, 6 bytes each.
  views bytea not null,
  clicked boolean not null,
  primary key (day, visitor)
);

-- Media's latest state of a live stream: whether its signal arrives. The message with the higher version is newer.
create table broadcasts (
  event_id integer primary key,
  is_live boolean not null,
  version integer not null,
  -- True: the demo's clip, not a camera.
  is_clip boolean not null default false
);

-- Searches that notify an account of new events: one row per account and search, so that a repeat changes nothing.
create table saved_searches (
  id integer primary key generated always as identity,
  user_id integer not null,
  name text not null,
  -- The parameters as in an address.
  search jsonb not null,
  -- Equal for searches that obviously find the same, however they are written.
  digest text not null,
  saved_at timestamptz(3) not null default now(),
  unique (user_id, digest)
);

-- Impressions of a promoted event in its place, and of all events in that place while it was promoted. Not a read
-- model: a rebuild keeps it.
create table promotion_counts (
  event_id integer not null,
  place text not null check (place in ('featured', 'premium')),
  impressions integer not null default 0,
  of_place bigint not null default 0,
  primary key (event_id, place)
) with (fillfactor = 50);

-- Accounts that were ever suspended, with their latest state from identity. Not a read model: a rebuild keeps it.
create table organizer_suspensions (
  user_id integer primary key,
  is_suspended boolean not null,
  version integer not null
);

-- Organizers' descriptions of themselves for their page. Not a read model: a rebuild keeps it.
create table organizer_profiles (
  user_id integer primary key,
  about text not null,
  links text[] not null,
  picture_url text,
  cover_url text,
  updated_at timestamptz(3) not null default now()
);
create index organizer_profiles_picture_url_idx on organizer_profiles (picture_url);
create index organizer_profiles_cover_url_idx on organizer_profiles (cover_url);
