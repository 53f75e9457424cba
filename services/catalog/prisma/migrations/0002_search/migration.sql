-- Trigrams of words, for those that are misspelt. A trusted extension: the owner of a database may make it.
create extension if not exists pg_trgm;

-- Where an event is, found by its location. Null for events of before, until they are indexed (src/search/catch-up.ts).
alter table listings
  add column place_id    text,
  add column place_name  text,
  add column place_state text,
  add column lat         double precision,
  add column lon         double precision;

-- Stems of English words, with none left out: "The Who" is a band.
create text search dictionary search_stem (template = snowball, language = english);

create function search_lexeme(word text) returns text
  language sql immutable strict parallel safe
  return coalesce((ts_lexize('public.search_stem', word))[1], word);

-- A word and what is left of it without each one of its letters: two words that share one of these are a mistake or two apart.
create function search_deletes(word text) returns text[]
  language sql immutable strict parallel safe
  return case when length(word) between 4 and 24
    then array(select word union select left(word, at - 1) || substr(word, at + 1) from generate_series(1, length(word)) at order by 1)
    else array[word] end;

-- Sold tickets on a scale of which four steps are twice as many: it changes seldom, and so does its index (docs/product.md#search).
create function search_popularity(sold integer) returns integer
  language sql immutable strict parallel safe
  return floor(4 * ln(1 + greatest(sold, 0)) / ln(2) + 1e-9)::integer;

-- The lexemes of an event, each with the fields in which it is found: 1 in the title, 2 in title or tags, 3 in these or the place, 4 anywhere.
create function search_document(title text[], tags text[], place text[], description text[], marks text[]) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(array(
    select distinct field || search_lexeme(word)
    from (select unnest(title) as word, 1 as least union all select unnest(tags), 2
          union all select unnest(place), 3 union all select unnest(description), 4) words,
      generate_series(least, 4) field
    union select unnest(marks)));

-- What a search looks at: one narrow row for each event that is published. Written by the projection beside its listing.
create table event_search (
  event_id      integer        primary key,
  starts_at     timestamptz(3) not null,
  ends_at       timestamptz(3) not null,
  created_at    timestamptz(3) not null,
  -- Cents; 0 is free entry, null: it does not say.
  price_cents   integer,
  -- Tickets; null: none are sold for it.
  capacity      integer,
  sales_start   timestamptz(3),
  sales_end     timestamptz(3),
  popularity    integer        not null,
  -- Miles east and north of the middle of the region.
  position      point,
  document      tsvector       not null,
  -- Of the event, and of the code that made the row: older ones are made anew.
  event_version integer        not null,
  index_version integer        not null
);
-- The document stands apart, so that rows are passed over quickly.
alter table event_search set (toast_tuple_target = 256, fillfactor = 90);
alter table event_search alter column document set statistics 400;
create index event_search_soonest on event_search (starts_at, event_id);
create index event_search_newest on event_search (created_at, event_id);
create index event_search_popular on event_search (popularity desc, starts_at, event_id);
create index event_search_document on event_search using gin (document);
create index event_search_position on event_search using gist (position);

-- Every word that ever stood in an event, as it is written, for finding what somebody meant.
create table search_words (
  word    text primary key,
  lexeme  text not null,
  deletes text[] not null generated always as (search_deletes(word)) stored
);
create index search_words_lexeme on search_words (lexeme);
create index search_words_prefix on search_words (word text_pattern_ops);
create index search_words_deletes on search_words using gin (deletes);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops);
