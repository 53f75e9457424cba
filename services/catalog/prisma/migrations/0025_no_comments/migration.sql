-- Comments are realtime's now (docs/decisions/0108). It publishes how many an event has; the number with the highest version counts.
drop table comment_reports, comment_moderations, comment_requests, comments, answers_to_tell, content_decisions;
update event_counts set comments = 0 where comments <> 0;
alter table event_counts add column comments_version integer not null default 0;

-- Idempotency keys are in the table of all services (packages/kit/migrations/requests).
insert into requests (user_id, kind, key, fingerprint, result, at)
select user_id, 'event', key, fingerprint, event_id, created_at from publish_requests;
drop table publish_requests;
