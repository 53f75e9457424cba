-- Mails wait in the table `jobs`, as all work that happens later.
insert into jobs (queue, key, run_at, attempts)
select 'contact-mail', id::text, mail_next_at, mail_attempts from contact_messages where mail_status = 'waiting';
alter table contact_messages drop column mail_status, drop column mail_attempts, drop column mail_next_at;

insert into jobs (queue, key, data, status, run_at, attempts, created_at, ended_at)
select 'account-mail', encode(email_key, 'hex') || '/' || kind || '/' || id,
  case when status = 'waiting'
    then jsonb_build_object('kind', kind, 'userId', user_id, 'email', email, 'detail', detail) else '{}' end,
  case when status = 'waiting' then 'waiting' else 'done' end, next_at, attempts, created_at, case when status <> 'waiting' then now() end
from account_mails;
drop table account_mails;
