create table message_board (
  id                 integer        generated always as identity primary key,
  user_id            integer        not null,
  question           text           not null,
  category           text           not null default 'general',
  -- Of the gazetteer; and the town that it is in, or is.
  place_id           text,
  town_id            text,
  event_id           integer,
  -- The one that helped, as who asked says.
  accepted_answer_id integer,
  is_answered        boolean        not null generated always as (accepted_answer_id is not null) stored,
  is_pinned          boolean        not null default false,
  -- Pinned on the whole board: what is about an event is pinned among the questions of the event alone.
  is_top             boolean        not null generated always as (is_pinned and event_id is null) stored,
  likes              integer        not null default 0 check (likes >= 0),
  answers            integer        not null default 0 check (answers >= 0),
  created_at         timestamptz(3) not null,
  edited_at          timestamptz(3),
  hidden_at          timestamptz(3),
  document           tsvector       not null generated always as (to_tsvector('english', question)) stored
);
create index message_board_latest on message_board (is_top desc, id desc);
create index message_board_category on message_board (category, is_top desc, id desc);
create index message_board_place on message_board (place_id, is_top desc, id desc);
create index message_board_town on message_board (town_id, is_top desc, id desc);
create index message_board_answered on message_board (is_answered, is_top desc, id desc);
create index message_board_event on message_board (event_id, is_pinned desc, id desc);
create index message_board_of on message_board (user_id, id desc);
create index message_board_words on message_board using gin (document);

create table message_board_answers (
  id          integer        generated always as identity primary key,
  question_id integer        not null references message_board (id) on delete cascade,
  user_id     integer        not null,
  answer      text           not null,
  -- By who owned the question's event, or was an admin, when they wrote it.
  is_verified boolean        not null,
  likes       integer        not null default 0 check (likes >= 0),
  created_at  timestamptz(3) not null,
  hidden_at   timestamptz(3)
);
create index message_board_answers_below on message_board_answers (question_id, id);
create index message_board_answers_of on message_board_answers (user_id, id desc);

create table message_board_likes (
  question_id integer        not null references message_board (id) on delete cascade,
  user_id     integer        not null,
  created_at  timestamptz(3) not null,
  primary key (question_id, user_id)
);
create index message_board_likes_of on message_board_likes (user_id);

create table message_board_answer_likes (
  answer_id  integer        not null references message_board_answers (id) on delete cascade,
  user_id    integer        not null,
  created_at timestamptz(3) not null,
  primary key (answer_id, user_id)
);
create index message_board_answer_likes_of on message_board_answer_likes (user_id);

-- Who hears of answers.
create table message_board_follows (
  question_id integer        not null references message_board (id) on delete cascade,
  user_id     integer        not null,
  created_at  timestamptz(3) not null,
  primary key (question_id, user_id)
);
create index message_board_follows_of on message_board_follows (user_id);
