-- Mails about ads wait in the table `jobs`, as all work that happens later.
insert into jobs (queue, key, data, status, run_at, attempts, last_error, ended_at)
select 'ad-mail', id::text,
  case when status = 'sent' then '{}' else jsonb_build_object('adId', ad_id, 'kind', kind, 'detail', detail) end,
  case status when 'sent' then 'done' else status end, next_at, attempts, last_error, case when status <> 'waiting' then now() end
from ad_mails;
drop table ad_mails;
