-- A job that is queued again while it runs is due at this time once the run has ended.
alter table jobs add column again_at timestamptz;
