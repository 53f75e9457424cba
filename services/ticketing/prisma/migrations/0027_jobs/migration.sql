-- Mails about orders, notices of changed events and claims wait in the table `jobs`, as all work that happens later.
insert into jobs (queue, key, data, status, priority, run_at, attempts, last_error, traceparent, created_at, ended_at)
select 'order-mail', order_id || '/' || kind, case status when 'dropped' then '{"isDropped": true}' else '{}' end::jsonb,
  case when status in ('sent', 'dropped') then 'done' else status end,
  case when kind = 'new-link' or split_part(kind, ':', 1) = 'tickets' then 0 else 1 end,
  next_at, attempts, last_error, traceparent, created_at, case when status <> 'waiting' then coalesce(sent_at, now()) end
from mails;
drop table mails;

insert into jobs (queue, key, data, run_at)
select 'event-change', case when closed_at is null then 'event/' || event_id else 'notice/' || id end,
  case when closed_at is null then '{}' else jsonb_build_object('noticeId', id::text) end, due_at
from change_notices where queued_at is null;
alter table change_notices drop column due_at, drop column queued_at;

insert into jobs (queue, key, data, run_at)
select 'address-claim', user_id::text, jsonb_build_object('askedAt', floor(extract(epoch from asked_at) * 1000)), next_at
from address_claims;
drop table address_claims;
