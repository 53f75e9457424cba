-- What an account chose; without a row everything is told on the page, and nothing by mail.
create table notification_preferences (
  user_id  integer primary key,
  -- Kinds that the page does not tell.
  page_off text[]  not null,
  -- Kinds that are mailed as well.
  mail_on  text[]  not null,
  -- All of them in one mail a day.
  is_daily boolean not null
);

-- False: it is there for a mail alone.
alter table notifications add column on_page boolean not null default true;

create table notification_mails (
  id              bigint      generated always as identity primary key,
  user_id         integer     not null,
  -- Of its notification, or 'daily:<day>'. One mail for each key and account.
  key             text        not null,
  -- Null: the mail of a day.
  notification_id bigint,
  status          text        not null default 'waiting' check (status in ('waiting', 'sent', 'dropped', 'failed')),
  attempts        smallint    not null default 0,
  next_at         timestamptz not null default now(),
  last_error      text,
  unique (user_id, key)
);
create index notification_mails_due on notification_mails (next_at) where status = 'waiting';
