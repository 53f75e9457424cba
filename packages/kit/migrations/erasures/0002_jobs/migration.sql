-- Erasures wait in the table `jobs`, which is migrated first.
insert into jobs (queue, key, data, run_at)
select 'erasure', user_id::text, jsonb_build_object('runs', runs), next_at from erasures where next_at is not null;
alter table erasures drop column runs, drop column next_at;
