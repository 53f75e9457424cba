-- People who write posts and questions, and since when there are accounts.
create table community_people (
  user_id       integer        primary key,
  -- As their token named them when they wrote last; null until then.
  name          text,
  -- Null until identity's message of it was heard.
  registered_at timestamptz(3)
);

-- Who wants to see nothing of whom.
create table community_blocks (
  id         integer        generated always as identity primary key,
  user_id    integer        not null,
  blocked_id integer        not null check (blocked_id <> user_id),
  created_at timestamptz(3) not null,
  unique (user_id, blocked_id)
);
create index community_blocks_of on community_blocks (user_id, id desc);
create index community_blocks_blocked on community_blocks (blocked_id);

-- What was written under which idempotency key; an account's limits are counted by these as well.
create table community_requests (
  user_id     integer        not null,
  key         text           not null,
  fingerprint text           not null,
  kind        text           not null,
  subject_id  integer        not null,
  created_at  timestamptz(3) not null,
  primary key (user_id, key)
);
create index community_requests_of on community_requests (user_id, created_at);

create table social_posts (
  id         integer        generated always as identity primary key,
  user_id    integer        not null,
  event_id   integer,
  content    text           not null,
  image_url  text,
  type       text           not null check (type in ('text', 'photo', 'event')),
  -- Of the gazetteer; and the town that it is in, or is.
  place_id   text,
  town_id    text,
  likes      integer        not null default 0 check (likes >= 0),
  comments   integer        not null default 0 check (comments >= 0),
  shares     integer        not null default 0 check (shares >= 0),
  created_at timestamptz(3) not null,
  edited_at  timestamptz(3),
  hidden_at  timestamptz(3)
);
create index social_posts_of on social_posts (user_id, id desc);
create index social_posts_event on social_posts (event_id, id desc);
create index social_posts_place on social_posts (place_id, id desc);
create index social_posts_town on social_posts (town_id, id desc);
-- Media asks which pictures are named.
create index social_posts_image on social_posts (image_url);

create table social_post_likes (
  post_id    integer        not null references social_posts (id) on delete cascade,
  user_id    integer        not null,
  created_at timestamptz(3) not null,
  primary key (post_id, user_id)
);
create index social_post_likes_of on social_post_likes (user_id);

create table social_post_shares (
  post_id    integer        not null references social_posts (id) on delete cascade,
  user_id    integer        not null,
  created_at timestamptz(3) not null,
  primary key (post_id, user_id)
);
create index social_post_shares_of on social_post_shares (user_id);

create table social_post_comments (
  id         integer        generated always as identity primary key,
  post_id    integer        not null references social_posts (id) on delete cascade,
  user_id    integer        not null,
  text       text           not null,
  created_at timestamptz(3) not null,
  hidden_at  timestamptz(3)
);
create index social_post_comments_below on social_post_comments (post_id, id);
create index social_post_comments_of on social_post_comments (user_id, id desc);
