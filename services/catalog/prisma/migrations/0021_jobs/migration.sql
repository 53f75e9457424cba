-- Lookups of locations wait in the table `jobs`; `located` has what was found.
insert into jobs (queue, key, status, run_at, ended_at)
select 'location-lookup', location, case when next_at is null then 'done' else 'waiting' end, coalesce(next_at, now()),
  case when next_at is null then now() end
from located;
delete from located where lat is null;
alter table located drop column attempts, drop column next_at, alter column lat set not null, alter column lon set not null,
  alter column state set not null;
