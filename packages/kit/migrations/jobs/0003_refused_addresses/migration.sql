-- Addresses that a mail server refused permanently, by digest (packages/kit/src/mail/refused.ts): they get no bulk mail.
create table refused_addresses (
  digest     bytea       primary key,
  refused_at timestamptz not null default now()
);
create index refused_addresses_refused_at on refused_addresses (refused_at);
