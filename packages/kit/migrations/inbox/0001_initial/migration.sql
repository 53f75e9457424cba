-- The messages that a consumer group has handled, written in the same transaction as their effect, so that a second
-- delivery finds its row. Rows are kept forever: a group may receive all messages again.
create table inbox (
  group_name text not null,
  message_id uuid not null,
  handled_at timestamptz not null default now(),
  primary key (group_name, message_id)
);
