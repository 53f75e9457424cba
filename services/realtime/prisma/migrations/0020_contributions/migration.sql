-- What people write: comments of events, posts, comments on posts, questions, answers (docs/decisions/0108). One row is one of them.
create table contributions (
  id              integer        primary key generated always as identity,
  kind            text           not null check (kind in ('comment', 'post', 'post-comment', 'question', 'answer')),
  author_id       integer        not null,
  -- What it is about; below a parent the parent's event.
  event_id        integer,
  -- Of the gazetteer; and the town that it is in, or is.
  place_id        text,
  town_id         text,
  parent_id       integer        references contributions (id) on delete cascade,
  -- Null: erased, and its place is kept for what is below it.
  text            text,
  -- Counts changes of the text.
  version         integer        not null default 0,
  -- Digest of the visible text, where an author may write the same words only once. Outlives a text that was hidden.
  text_key        text,
  image_url       text,
  category        text,
  -- By the owner of the event, or an admin, when it was written.
  is_verified     boolean        not null default false,
  is_pinned       boolean        not null default false,
  -- Pinned on the whole board: a question about an event is pinned among the questions of the event alone.
  is_top          boolean        not null generated always as (is_pinned and event_id is null) stored,
  -- The contribution below it that helped its author.
  accepted_id     integer,
  is_answered     boolean        not null generated always as (accepted_id is not null) stored,
  likes           integer        not null default 0 check (likes >= 0),
  shares          integer        not null default 0 check (shares >= 0),
  -- Contributions below it that are shown.
  below           integer        not null default 0 check (below >= 0),
  created_at      timestamptz(3) not null,
  edited_at       timestamptz(3),
  deleted_at      timestamptz(3),
  hidden_at       timestamptz(3),
  hidden_by_admin boolean        not null default false,
  document        tsvector       generated always as (case when kind = 'question' then to_tsvector('english', coalesce(text, '')) end) stored
);
create index contributions_of on contributions (author_id, kind, id desc);
create index contributions_below on contributions (parent_id, id) where parent_id is not null;
create unique index contributions_said_once on contributions (event_id, author_id, text_key) where text_key is not null;
create index contributions_hidden on contributions (id desc) where kind = 'comment' and hidden_at is not null and deleted_at is null;
-- Media asks which pictures are named.
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

-- What accounts do with a contribution, once each.
create table contribution_marks (
  contribution_id integer        not null references contributions (id) on delete cascade,
  mark            text           not null check (mark in ('like', 'share', 'follow')),
  user_id         integer        not null,
  created_at      timestamptz(3) not null,
  primary key (contribution_id, mark, user_id)
);
create index contribution_marks_of on contribution_marks (user_id, mark, created_at desc);

-- What moderators did. No foreign key: it outlives the contribution.
create table contribution_moderations (
  id              integer        primary key generated always as identity,
  contribution_id integer        not null,
  action          text           not null check (action in ('hide', 'restore', 'keep')),
  moderator_id    integer        not null,
  is_admin        boolean        not null,
  created_at      timestamptz(3) not null
);
create index contribution_moderations_of on contribution_moderations (contribution_id, id desc);

-- The text of a contribution when it was reported, as long as the contribution has words.
create table reported_texts (
  contribution_id integer not null references contributions (id) on delete cascade,
  version         integer not null,
  text            text    not null,
  primary key (contribution_id, version)
);

-- How many comments an event has; the catalog gets each number, and keeps the one with the highest version.
create table event_comments (
  event_id integer primary key,
  comments integer not null check (comments >= 0),
  version  integer not null
);

-- Numbers are now of all kinds together. Each kind gets a range of its own above all old ones, so that no old number names another thing.
create function pg_temp.moved(kind text, id integer) returns integer language sql as $$
  select id + array_position(array['post', 'post-comment', 'question', 'answer'], kind) * (
    select greatest((select max(id) from social_posts), (select max(id) from social_post_comments), (select max(id) from message_board),
      (select max(id) from message_board_answers), 0))
$$;
insert into contributions (id, kind, author_id, event_id, place_id, town_id, parent_id, text, image_url, category, is_verified, is_pinned,
    accepted_id, likes, shares, below, created_at, edited_at, hidden_at)
overriding system value
select pg_temp.moved('post', id), 'post', user_id, event_id, place_id, town_id, null::integer, content, image_url, null::text, false, false,
  null::integer, likes, shares, comments, created_at, edited_at, hidden_at from social_posts
union all
select pg_temp.moved('question', id), 'question', user_id, event_id, place_id, town_id, null, question, null, category, false, is_pinned,
  pg_temp.moved('answer', accepted_answer_id), likes, 0, answers, created_at, edited_at, hidden_at from message_board;
insert into contributions (id, kind, author_id, event_id, parent_id, text, is_verified, likes, created_at, hidden_at)
overriding system value
select pg_temp.moved('post-comment', c.id), 'post-comment', c.user_id, p.event_id, pg_temp.moved('post', p.id), c.text, false, 0,
  c.created_at, c.hidden_at from social_post_comments c join social_posts p on p.id = c.post_id
union all
select pg_temp.moved('answer', a.id), 'answer', a.user_id, m.event_id, pg_temp.moved('question', m.id), a.answer, a.is_verified, a.likes,
  a.created_at, a.hidden_at from message_board_answers a join message_board m on m.id = a.question_id;
select setval(pg_get_serial_sequence('contributions', 'id'), greatest(max(id), 1), max(id) is not null) from contributions;

insert into contribution_marks (contribution_id, mark, user_id, created_at)
select pg_temp.moved('post', post_id), 'like', user_id, created_at from social_post_likes
union all select pg_temp.moved('post', post_id), 'share', user_id, created_at from social_post_shares
union all select pg_temp.moved('question', question_id), 'like', user_id, created_at from message_board_likes
union all select pg_temp.moved('answer', answer_id), 'like', user_id, created_at from message_board_answer_likes
union all select pg_temp.moved('question', question_id), 'follow', user_id, created_at from message_board_follows;

insert into requests (user_id, kind, key, fingerprint, result, at)
select user_id, moved.kind, key, fingerprint, pg_temp.moved(moved.kind, subject_id), created_at
from community_requests r, lateral (select case r.kind when 'comment' then 'post-comment' else r.kind end as kind) moved;
update notifications set subject_id = pg_temp.moved('question', subject_id) where kind = 'reply';
update content_decisions set content_id = pg_temp.moved(kind, content_id::integer)::text
where kind in ('post', 'post-comment', 'question', 'answer');

drop table social_post_likes, social_post_shares, social_post_comments, social_posts, message_board_likes, message_board_answer_likes,
  message_board_follows, message_board_answers, message_board, community_requests;
drop function pg_temp.moved;
