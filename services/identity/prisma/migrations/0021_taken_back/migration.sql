-- Read model of the streams engagement-<user id>: what was counted of a person and is not any more. One that is counted again goes.
create table taken_back_facts (
  user_id       integer     not null,
  kind          text        not null,
  subject_id    integer     not null,
  event_id      integer,
  day           date        not null,
  points        integer     not null,
  basis         text,
  counted_at    timestamptz not null,
  taken_back_at timestamptz not null,
  primary key (user_id, kind, subject_id)
);
create index taken_back_facts_latest on taken_back_facts (user_id, counted_at desc, kind desc, subject_id desc);
-- What was taken back before, as a rebuild would write it.
insert into taken_back_facts (user_id, kind, subject_id, event_id, day, points, basis, counted_at, taken_back_at)
select substr(stream, length('engagement-') + 1)::integer, data ->> 'kind', (data ->> 'subjectId')::integer,
  (data ->> 'eventId')::integer, (data ->> 'day')::date, (data ->> 'points')::integer, data ->> 'basis', counted_at, occurred_at
from (
  select stream, type, data, occurred_at,
    lag(occurred_at) over of_fact as counted_at,
    lead(version) over of_fact is null as is_last
  from events where type in ('FactCounted', 'FactTakenBack') and stream like 'engagement-%'
  window of_fact as (partition by stream, data ->> 'kind', (data ->> 'subjectId')::integer order by version)
) facts
where is_last and type = 'FactTakenBack'
  and not exists (select from events e where e.stream = facts.stream and e.type = 'EngagementErased');
