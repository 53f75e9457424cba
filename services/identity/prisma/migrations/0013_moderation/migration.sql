-- Read models of the streams case-<kind>.<id>: what was reported, and what admins decided of it.
create table moderation_cases (
  case_id      text        primary key,
  kind         text        not null,
  content_id   text        not null,
  author_id    integer,
  state        text        not null,
  standing     text        not null,
  open_reports integer     not null,
  decisions    integer     not null,
  changed_at   timestamptz not null
);
create index moderation_cases_queue on moderation_cases (state, changed_at desc, case_id desc);
create index moderation_cases_author on moderation_cases (author_id, changed_at desc, case_id desc);

create table moderation_decisions (
  case_id     text        not null,
  number      integer     not null,
  action      text        not null,
  reason      text        not null,
  admin_id    integer     not null,
  at          timestamptz not null,
  until       timestamptz,
  appealed_at timestamptz,
  outcome     text,
  primary key (case_id, number)
);

-- What follows is no read model: what people wrote.
create table moderation_reports (
  case_id     text        not null,
  reporter_id integer     not null,
  reason      text        not null,
  note        text,
  at          timestamptz not null,
  primary key (case_id, reporter_id)
);
create index moderation_reports_reporter on moderation_reports (reporter_id, at);
create index moderation_reports_newest on moderation_reports (case_id, at desc);

-- The first words of what was reported, as they were then.
create table moderation_texts (
  case_id   text    primary key,
  author_id integer,
  excerpt   text    not null,
  path      text    not null
);
create index moderation_texts_author on moderation_texts (author_id);

-- What an admin added to a decision, and what its author said against it.
create table moderation_words (
  case_id text    not null,
  number  integer not null,
  note    text,
  appeal  text,
  primary key (case_id, number)
);

-- Read model of the streams user-<id>: since when an account is suspended, and until when; null: for good.
alter table users add column suspended_at timestamptz;
alter table users add column suspended_until timestamptz;
