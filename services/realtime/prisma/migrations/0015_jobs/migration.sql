-- Facts, mails and pushes wait in the table `jobs`.
insert into jobs (queue, key, data, run_at)
select case kind when 'search-matched' then 'search-match' else 'notification-fact' end,
  case kind when 'search-matched' then data ->> 'eventId' else id::text end,
  jsonb_build_object('fact', data, 'occurredAt', occurred_at, 'notifiedUntil', told_until), next_at
from notification_facts on conflict do nothing;
drop table notification_facts;

insert into jobs (queue, key, data, status, run_at, attempts, last_error, ended_at)
select 'notification-mail', user_id || '/' || key,
  case when status not in ('waiting', 'failed') then '{}'
    when key like 'daily:%' then jsonb_build_object('userId', user_id, 'day', substr(key, 7))
    when key ~ '^search-matched:\d+$'
      then jsonb_build_object('userId', user_id, 'kind', 'search-matched', 'hour', split_part(key, ':', 2)::integer)
    else jsonb_build_object('userId', user_id, 'id', notification_id) end,
  case when status in ('waiting', 'failed') then status else 'done' end, next_at, attempts, last_error,
  case when status <> 'waiting' then next_at end
from notification_mails;
drop table notification_mails;

insert into jobs (queue, key, data, status, run_at, attempts, created_at, ended_at)
select 'notification-push', subscription_id || '/' || key,
  case status when 'waiting' then jsonb_build_object('subscriptionId', subscription_id::text, 'notificationId', notification_id) else '{}' end,
  case status when 'waiting' then 'waiting' else 'done' end, next_at, attempts, queued_at,
  case when status <> 'waiting' then queued_at end
from notification_pushes;
drop table notification_pushes;
