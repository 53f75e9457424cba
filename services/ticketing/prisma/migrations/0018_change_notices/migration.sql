-- What the buyers of an event are told of changes of its time and place (src/mail/changes.ts): what they knew before. One that is open gathers
-- what its organiser changes within minutes; a closed one is mailed, and stays for mails that are still to be written.
create table change_notices (
  id         bigint      generated always as identity primary key,
  event_id   integer     not null,
  was        jsonb       not null,
  opened_at  timestamptz not null default now(),
  -- Of the last change.
  changed_at timestamptz not null default now(),
  due_at     timestamptz not null,
  closed_at  timestamptz,
  -- When a mail waited for each order.
  queued_at  timestamptz
);
create unique index change_notices_open on change_notices (event_id) where closed_at is null;
create index change_notices_closed on change_notices (event_id) where closed_at is not null;
create index change_notices_due on change_notices (due_at) where queued_at is null;
