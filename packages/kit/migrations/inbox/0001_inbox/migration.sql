-- The messages a consumer group has handled, written in the transaction of their effect: a second delivery finds its row.
create table inbox (
  group_name text not null,
  message_id uuid not null,
  handled_at timestamptz not null default now(),
  primary key (group_name, message_id)
);

-- For the sweep of old rows only; they lie in the order of time, so a few pages of index are enough.
create index inbox_handled_at on inbox using brin (handled_at);
