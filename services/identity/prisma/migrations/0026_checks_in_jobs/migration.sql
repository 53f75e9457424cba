-- Checks of points and challenges wait in the table `jobs`.
insert into jobs (queue, key, run_at)
select 'fact-check', user_id || '/' || kind || '/' || subject_id, greatest(due_at, now()) from fact_checks
union all select 'challenge-check', user_id || '/' || week, greatest(due_at, now()) from challenge_checks;
drop table fact_checks, challenge_checks;
