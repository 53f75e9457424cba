-- Accounts whose address was verified: the orders that were bought with it by a guest are to be theirs (src/link/claims.ts).
create table address_claims (
  user_id  integer     primary key,
  asked_at timestamptz not null default now(),
  next_at  timestamptz not null default now()
);
create index address_claims_next_at on address_claims (next_at);
