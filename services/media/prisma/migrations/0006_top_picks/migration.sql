create sequence video_ids as integer;

-- Read model of the streams video-<id>. A video that was removed has no row.
create table videos (
  video_id     integer primary key,
  user_id      integer     not null,
  category     text        not null,
  -- Its name in storage and in its address: the hash of its bytes, and the ending of its kind.
  file         text        not null,
  -- The picture that stands for it, as in picture_files.
  thumbnail    text        not null,
  -- The paid promotion that it is the clip of.
  promotion_id uuid,
  is_approved  boolean     not null,
  is_featured  boolean     not null,
  open_reports integer     not null,
  uploaded_at  timestamptz not null
);
create index videos_approved on videos (video_id) where is_approved;
create index videos_approved_of_category on videos (category, video_id) where is_approved;
create index videos_leading on videos (video_id) where is_approved and (is_featured or promotion_id is not null);
create index videos_reported on videos (video_id) where open_reports > 0;
create index videos_uploader on videos (user_id, video_id);
create index videos_file on videos (file);
create index videos_thumbnail on videos (thumbnail);

-- Not read models: words of people, which stay out of the log and go with the video; likes; requests.
create table video_texts (
  video_id    integer primary key,
  title       text        not null,
  description text,
  -- The name of its uploader's account when it was uploaded.
  uploaded_by text        not null,
  -- Why an admin said no.
  reason      text,
  written_at  timestamptz not null
);
create index video_texts_written on video_texts (written_at);
create table video_uploads (
  user_id     integer     not null,
  key         text        not null,
  video_id    integer     not null,
  fingerprint text        not null,
  created_at  timestamptz not null,
  primary key (user_id, key)
);
create index video_uploads_recent on video_uploads (user_id, created_at);
create index video_uploads_created on video_uploads (created_at);
create table video_likes (
  video_id   integer     not null,
  user_id    integer     not null,
  created_at timestamptz not null,
  primary key (video_id, user_id)
);
create index video_likes_user on video_likes (user_id);
create table video_like_counts (
  video_id integer primary key,
  likes    integer not null
);
create table video_reports (
  video_id   integer     not null,
  user_id    integer     not null,
  reason     text        not null,
  note       text,
  created_at timestamptz not null,
  primary key (video_id, user_id)
);
create index video_reports_user on video_reports (user_id, created_at);

-- Views, once for each visitor and day (decision 0042): the sums, and what is dropped after the day.
create table video_view_counts (
  video_id integer primary key,
  views    integer not null
);
create unlogged table view_keys (
  day date  primary key,
  key bytea not null
);
create unlogged table video_visitors (
  day      date    not null,
  visitor  bytea   not null,
  video_id integer not null,
  primary key (day, visitor)
);

-- Files of videos that are in storage, or may be: written before the file, deleted after it.
create table video_files (
  name           text primary key,
  bytes          integer     not null,
  -- Until then an upload that is under way needs it, whether or not a video names it.
  kept_until     timestamptz not null,
  -- Until then somebody deletes it; an upload of the same file waits.
  deleting_until timestamptz
);
create index video_files_kept on video_files (kept_until);

-- Copies of what catalog says: who organises an event, and what was paid with the right to a clip.
create table clip_events (
  event_id     integer primary key,
  -- Null: not heard of yet.
  owner_id     integer,
  is_cancelled boolean not null
);
create index clip_events_owner on clip_events (owner_id);
create table clip_rights (
  promotion_id uuid primary key,
  event_id     integer     not null,
  until        timestamptz not null
);
create index clip_rights_event on clip_rights (event_id);
-- Which upload has the right. The row comes before the video, and goes with it.
create table clip_uses (
  promotion_id uuid primary key,
  video_id     integer     not null,
  used_at      timestamptz not null
);
create index clip_uses_video on clip_uses (video_id);
