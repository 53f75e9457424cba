-- Reports are identity's alone; here is how many there are, and how many were settled (packages/kit/migrations/moderated).
insert into moderated_contents (kind, content_id, reports, settled)
select 'message', room || '.' || seq, count(*), count(settled_at) from chat_reports group by room, seq;
insert into moderated_contents as m (kind, content_id, decision) select kind, content_id, decision from content_decisions
on conflict (kind, content_id) do update set decision = excluded.decision;
drop table chat_reports, content_decisions;
