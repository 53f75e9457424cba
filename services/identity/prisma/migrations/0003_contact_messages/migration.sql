-- What people wrote by the contact form. No event: it is forgotten after a year (sweep.ts).
create table contact_messages (
  -- Made from the Idempotency-Key where there is one: the same key is the same message.
  id            uuid        primary key,
  fingerprint   text        not null,
  email         text        not null,
  phone         text,
  comments      text        not null,
  created_at    timestamptz not null default now(),
  answered_at   timestamptz,
  answered_by   integer,
  -- Of the mail that tells of it; `none` where no address was configured.
  mail_status   text        not null check (mail_status in ('waiting', 'sent', 'failed', 'none')),
  mail_attempts integer     not null default 0,
  mail_next_at  timestamptz not null default now()
);
create index contact_messages_newest on contact_messages (created_at desc, id desc);
create index contact_messages_open on contact_messages (created_at desc, id desc) where answered_at is null;
create index contact_messages_mail on contact_messages (mail_next_at) where mail_status = 'waiting';
