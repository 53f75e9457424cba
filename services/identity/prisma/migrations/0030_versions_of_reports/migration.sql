-- Which version of a text a report is about: when its author changed what moderators had kept, it can be reported again.
alter table moderation_reports add column version integer not null default 0;
-- In the log each report has its version, too, and its number in its case.
update events e set data = (e.data::jsonb || jsonb_build_object('version', 0, 'number', numbered.number))::json
from (select stream, version, row_number() over (partition by stream order by version) as number
  from events where type = 'ContentReported') numbered
where e.stream = numbered.stream and e.version = numbered.version;

-- Idempotency keys are in the table of all services (packages/kit/migrations/requests).
insert into requests (user_id, kind, key, fingerprint, result, at)
select 0, 'registration', command_id::text, '', user_id, now() from registrations;
drop table registrations;
alter table contact_messages drop column fingerprint;
