-- Read model of the streams user-<id>: when the address was shown to be theirs; null: it was not.
alter table users add column email_verified_at timestamptz;

-- The password that a session was begun with: with another one it is over. Null: of before this was noted.
alter table sessions add column credential_id uuid;
-- Browser and system, in two or three words.
alter table sessions add column device text not null default '';

-- What follows is no read model. An address that is to take the place of an account's once it is verified: the newest of an account.
create table email_changes (
  user_id       integer     primary key,
  id            uuid        not null,
  email         text        not null,
  -- What the account had when it was asked for: when that has changed, nothing comes of it.
  before        text        not null,
  credential_id uuid        not null,
  asked_at      timestamptz not null
);
create index email_changes_asked_at on email_changes (asked_at);

-- Mails about accounts. Links are made as a mail is sent: no row has one. Kept for a day, for what is sent to an address is counted.
create table account_mails (
  id         uuid        primary key,
  kind       text        not null,
  -- Null of a reset that somebody asks for: whether there is an account is found out as it is sent.
  user_id    integer,
  -- Null once it was sent or dropped.
  email      text,
  detail     text,
  email_key  bytea       not null,
  status     text        not null default 'waiting' check (status in ('waiting', 'sent', 'dropped', 'failed')),
  attempts   integer     not null default 0,
  next_at    timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index account_mails_due on account_mails (next_at) where status = 'waiting';
create index account_mails_of_address on account_mails (email_key, created_at);
create index account_mails_created_at on account_mails (created_at);
create index account_mails_user_id on account_mails (user_id);
