-- Accounts that were erased, as identity said it: a number and a time, and nothing of the person. A row is kept for ever, so that data
-- of an older backup is erased again.
create table erasures (
  user_id   integer     primary key,
  erased_at timestamptz not null,
  -- How often this service has erased what it had of the account.
  runs      smallint    not null default 0,
  -- When it does (again); null: it is done.
  next_at   timestamptz default now()
);
create index erasures_next_at on erasures (next_at) where next_at is not null;
