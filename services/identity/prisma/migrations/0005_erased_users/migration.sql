-- Read model of the streams user-<id>: whose account was erased. Their rows of users are gone.
create table erased_users (
  user_id    integer     primary key,
  -- Tokens of a lower generation are refused everywhere.
  generation integer     not null,
  erased_at  timestamptz not null
);
create index erased_users_erased_at on erased_users (erased_at);

-- The sessions of one account end together.
create index sessions_user_id on sessions (user_id);
