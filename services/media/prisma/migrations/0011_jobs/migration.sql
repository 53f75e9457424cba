-- Files that nothing may name wait in the table `jobs` to be deleted, and pictures of events for the end of their grace.
insert into jobs (queue, key, run_at)
select 'picture-file', name, greatest(kept_until, now()) from picture_files f
where not exists (select from photos where picture = f.name) and not exists (select from videos where thumbnail = f.name)
union all select 'video-file', name, greatest(kept_until, now()) from video_files f
where not exists (select from videos where file = f.name);
insert into jobs (queue, key, data, run_at)
select 'event-picture', name, case when unnamed_since is null then '{}'::jsonb else '{"isUnnamed": true}' end, greatest(kept_until, now())
from image_files;
drop table picture_files, image_files;
alter table video_files drop column kept_until, drop column deleting_until;
