-- Challenges are looked at as facts are: when they are due.
alter table challenge_checks add column due_at timestamptz not null default '-infinity';
alter table fact_checks alter column due_at set default '-infinity';
create index challenge_checks_by_due on challenge_checks (due_at);
drop index challenge_checks_due;
