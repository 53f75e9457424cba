-- Attempts that may still be made, by account and by sender: each takes a step of time, and when all were given back is what is kept.
create table login_budgets (
  -- sha256, as in login_attempts.
  key         bytea       primary key,
  spent_until timestamptz not null
);
create index login_budgets_spent_until on login_budgets (spent_until);

-- Who found an account's budget spent, and when they may make the attempt that is kept for them.
create table login_places (
  key bytea       primary key,
  due timestamptz not null
);
create index login_places_due on login_places (due);
