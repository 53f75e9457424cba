-- Work that happens later: mails, lookups, sweeps (packages/kit/src/jobs/queue.ts). One row is one job.
create table jobs (
  queue       text        not null,
  -- What makes a job the same one: queued twice under one key, it runs once.
  key         text        not null collate "C",
  -- Empty once the job is done.
  data        jsonb       not null default '{}',
  status      text        not null default 'waiting' check (status in ('waiting', 'done', 'failed')),
  -- Of two jobs that are due, the one with the lower number runs first.
  priority    smallint    not null default 0,
  attempts    smallint    not null default 0,
  -- When it is due. While it runs: when its lease ends.
  run_at      timestamptz not null default now(),
  lease       uuid,
  last_error  text,
  traceparent text,
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  primary key (queue, key)
);
create index jobs_due on jobs (queue, priority, run_at) where status = 'waiting';
create index jobs_failed on jobs (queue, ended_at) where status = 'failed';
