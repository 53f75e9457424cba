-- Photos of the gallery and videos of Top Picks share their tables (docs/decisions/0108). Read model of the streams photo-<id> and
-- video-<id>: one that was removed has no row.
create table items (
  kind         text        not null check (kind in ('photo', 'video')),
  id           integer     not null,
  user_id      integer     not null,
  status       text        not null check (status in ('pending', 'shown', 'rejected')),
  -- Its name in storage and in its address: the hash of its large size, and its tint; the picture of a video.
  picture      text        not null,
  -- Of a photo.
  event_id     integer,
  width        integer,
  height       integer,
  -- Of a video: its name in storage is the hash of its bytes, and the ending of its kind.
  category     text,
  file         text,
  -- The paid promotion that it is the clip of.
  promotion_id uuid,
  is_featured  boolean     not null,
  uploaded_at  timestamptz not null,
  primary key (kind, id)
);
create index items_shown on items (kind, id) where status = 'shown';
create index items_pending on items (kind, id) where status = 'pending';
create index items_uploader on items (user_id, kind, id);
create index items_picture on items (picture);
create index items_shown_of_event on items (event_id, id) where kind = 'photo' and status = 'shown';
create index items_shown_of_category on items (category, id) where kind = 'video' and status = 'shown';
create index items_leading on items (id) where kind = 'video' and status = 'shown' and (is_featured or promotion_id is not null);
create index items_file on items (file) where file is not null;

-- Not read models: words of people, which stay out of the log and are deleted with the item; likes.
create table item_texts (
  kind        text        not null,
  id          integer     not null,
  title       text        not null,
  description text,
  -- The name of its uploader's account when it was uploaded; null for photos.
  uploaded_by text,
  -- Why an admin rejected it.
  reason      text,
  written_at  timestamptz not null,
  primary key (kind, id)
);
create index item_texts_written on item_texts (written_at);
create table item_likes (
  kind       text        not null,
  id         integer     not null,
  user_id    integer     not null,
  created_at timestamptz not null,
  primary key (kind, id, user_id)
);
create index item_likes_user on item_likes (user_id, kind, created_at desc);
create table item_like_counts (
  kind  text    not null,
  id    integer not null,
  likes integer not null,
  primary key (kind, id)
);

insert into items select 'photo', photo_id, user_id, case status when 'verified' then 'shown' else status end, picture, event_id, width,
  height, null, null, null, false, uploaded_at from photos;
insert into items select 'video', video_id, user_id, case when is_approved then 'shown' else 'rejected' end, thumbnail, null, null, null,
  category, file, promotion_id, is_featured, uploaded_at from videos;
insert into item_texts select 'photo', photo_id, title, description, null, reason, written_at from photo_texts;
insert into item_texts select 'video', video_id, title, description, uploaded_by, reason, written_at from video_texts;
insert into item_likes select 'photo', photo_id, user_id, created_at from photo_likes
  union all select 'video', video_id, user_id, created_at from video_likes;
insert into item_like_counts select 'photo', photo_id, likes from photo_like_counts
  union all select 'video', video_id, likes from video_like_counts;

-- Idempotency keys are in the table of all services (packages/kit/migrations/requests).
insert into requests (user_id, kind, key, fingerprint, result, at)
select user_id, 'photo', key, fingerprint, photo_id, created_at from photo_uploads
union all select user_id, 'video', key, fingerprint, video_id, created_at from video_uploads;

-- Reports are identity's alone; here is how many there are, and how many were settled (packages/kit/migrations/moderated).
insert into moderated_contents (kind, content_id, reports, settled)
select 'photo', photo_id, count(*), count(*) - open_reports from photo_reports join photos using (photo_id) group by photo_id, open_reports
union all
select 'video', video_id, count(*), count(*) - open_reports from video_reports join videos using (video_id) group by video_id, open_reports;
insert into moderated_contents as m (kind, content_id, decision) select kind, content_id, decision from content_decisions
on conflict (kind, content_id) do update set decision = excluded.decision;

-- One vocabulary for both. What was reported and kept was shown, and is shown again: reports are no longer in the log.
update events set type = case
    when type in ('PhotoUploaded', 'VideoUploaded') then 'ItemUploaded'
    when type in ('PhotoRejected', 'VideoRejected') then 'ItemRejected'
    when type in ('PhotoRemoved', 'VideoRemoved') then 'ItemRemoved'
    when type = 'VideoFeatured' then 'ItemFeatured'
    when type = 'VideoUnfeatured' then 'ItemUnfeatured'
    else 'ItemShown' end,
  data = case when type = 'VideoUploaded'
    then ((data::jsonb - 'thumbnail') || jsonb_build_object('picture', data ->> 'thumbnail'))::json else data end
where stream like 'photo-%' or stream like 'video-%';
update events e set data = json_build_object('eventId', u.data -> 'eventId', 'uploaderId', u.data -> 'uploaderId', 'how', 'admin')
from events u where e.type = 'ItemShown' and not e.data::jsonb ? 'uploaderId' and u.stream = e.stream and u.type = 'ItemUploaded';

drop table photos, photo_texts, photo_likes, photo_like_counts, photo_uploads, photo_reports, videos, video_texts, video_likes,
  video_like_counts, video_uploads, video_reports, content_decisions;
