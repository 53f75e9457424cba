-- Work that happens later: mails, lookups, sweeps (packages/kit/src/jobs/queue.ts). One row is one job.
create table jobs (
  queue       text        not null,
  -- A job that is queued twice under one key runs once.
  key         text        not null collate "C",
  -- Empty once the job is done.
  data        jsonb       not null default '{}',
  status      text        not null default 'waiting' check (status in ('waiting', 'done', 'failed')),
  -- Of two jobs that are due, the one with the lower number runs first.
  priority    smallint    not null default 0,
  attempts    smallint    not null default 0,
  -- When the job is due. While it runs: when its lease ends.
  run_at      timestamptz not null default now(),
  lease       uuid,
  last_error  text,
  traceparent text,
  -- Jobs of one transaction keep their order: messages of a batch share one (packages/kit/src/bus/consume.ts).
  created_at  timestamptz not null default clock_timestamp(),
  ended_at    timestamptz,
  -- A job that is queued again while it runs is due at this time once the run has ended.
  again_at    timestamptz,
  primary key (queue, key)
);
create index jobs_due on jobs (queue, priority, run_at) where status = 'waiting';
create index jobs_failed on jobs (queue, ended_at) where status = 'failed';

-- Addresses that a mail server rejected permanently, as digests (packages/kit/src/mail/refused.ts): they get no bulk mail.
create table refused_addresses (
  digest     bytea       primary key,
  refused_at timestamptz not null default now()
);
create index refused_addresses_refused_at on refused_addresses (refused_at);
