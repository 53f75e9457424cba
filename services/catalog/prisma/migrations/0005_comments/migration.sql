-- Comments below an event, and answers to them. Rows, not a stream: people may ask to have their words erased (docs/decisions/0043).
create table comments (
  id              integer        primary key generated always as identity,
  event_id        integer        not null,
  -- The comment that it answers. One level: that one answers none.
  parent_id       integer        references comments (id),
  author_id       integer        not null,
  -- Null: erased by its author.
  text            text,
  -- Of the text with what nobody sees left out: the same words are said once. Outlives a text that was hidden.
  text_key        text,
  created_at      timestamptz(3) not null,
  edited_at       timestamptz(3),
  deleted_at      timestamptz(3),
  hidden_at       timestamptz(3),
  hidden_by_admin boolean        not null default false,
  -- Answers that are shown.
  answers         integer        not null default 0 check (answers >= 0),
  -- Reports that nobody has settled.
  open_reports    integer        not null default 0
);
create unique index comments_said_once on comments (event_id, author_id, text_key);
create index comments_newest on comments (event_id, id desc)
  where parent_id is null and (answers > 0 or (deleted_at is null and hidden_at is null));
create index comments_answers on comments (parent_id, id);
create index comments_reported on comments (id desc) where open_reports > 0;
create index comments_hidden on comments (id desc) where hidden_at is not null and deleted_at is null;

-- Who wrote when, also of what is deleted by now: for retries, and for limits.
create table comment_requests (
  author_id   integer        not null,
  key         text           not null,
  fingerprint text           not null,
  event_id    integer        not null,
  comment_id  integer        not null,
  created_at  timestamptz(3) not null,
  primary key (author_id, key)
);
create index comment_requests_author on comment_requests (author_id, created_at);
create index comment_requests_event on comment_requests (event_id, created_at);

create table comment_reports (
  comment_id  integer        not null references comments (id) on delete cascade,
  reporter_id integer        not null,
  reason      text           not null check (reason in ('spam', 'abuse', 'privacy', 'other')),
  note        text,
  -- What it said then.
  text        text           not null,
  created_at  timestamptz(3) not null,
  settled_at  timestamptz(3),
  primary key (comment_id, reporter_id)
);
create index comment_reports_reporter on comment_reports (reporter_id, created_at);

-- What moderators did. No foreign key: it outlives the comment.
create table comment_moderations (
  id           integer        primary key generated always as identity,
  comment_id   integer        not null,
  event_id     integer        not null,
  action       text           not null check (action in ('hide', 'restore', 'keep')),
  moderator_id integer        not null,
  is_admin     boolean        not null,
  created_at   timestamptz(3) not null
);
create index comment_moderations_comment on comment_moderations (comment_id, id desc);
