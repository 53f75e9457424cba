-- Browsers that show notifications of an account (web push, RFC 8030).
create table push_subscriptions (
  id         bigint         generated always as identity primary key,
  user_id    integer        not null,
  -- The session that asked for it: it ends with it.
  session_id uuid           not null,
  -- At the push service of the browser; who knows it and the keys can write to it.
  endpoint   text           not null unique,
  p256dh     text           not null,
  auth       text           not null,
  added_at   timestamptz(3) not null default now()
);
create index push_subscriptions_user_id on push_subscriptions (user_id, id);
create index push_subscriptions_session_id on push_subscriptions (session_id);

-- Sessions that ended: a call that was let in just before gives them no browser any more.
create table ended_sessions (
  id       uuid        primary key,
  ended_at timestamptz not null default now()
);

create table notification_pushes (
  id              bigint      generated always as identity primary key,
  subscription_id bigint      not null references push_subscriptions on delete cascade,
  -- Of its notification, with its version. One push for each key and browser.
  key             text        not null,
  notification_id bigint      not null,
  status          text        not null default 'waiting' check (status in ('waiting', 'sent', 'dropped', 'failed')),
  attempts        smallint    not null default 0,
  queued_at       timestamptz not null default now(),
  next_at         timestamptz not null default now(),
  unique (subscription_id, key)
);
create index notification_pushes_due on notification_pushes (next_at) where status = 'waiting';

-- Kinds that browsers do not show; until somebody chooses, they show all.
alter table notification_preferences add column push_off text[] not null default '{}';
