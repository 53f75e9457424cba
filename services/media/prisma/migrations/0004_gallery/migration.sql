create sequence photo_ids as integer;

-- Read model of the streams photo-<id>. A photo that was removed has no row.
create table photos (
  photo_id     integer primary key,
  event_id     integer     not null,
  user_id      integer     not null,
  -- Its name in storage and in its address: the hash of its large size, and its tint.
  picture      text        not null,
  width        integer     not null,
  height       integer     not null,
  status       text        not null,
  open_reports integer     not null,
  uploaded_at  timestamptz not null
);
create index photos_verified on photos (photo_id) where status = 'verified';
create index photos_verified_of_event on photos (event_id, photo_id) where status = 'verified';
create index photos_pending on photos (photo_id) where status = 'pending';
create index photos_reported on photos (photo_id) where open_reports > 0;
create index photos_uploader on photos (user_id, photo_id);
create index photos_picture on photos (picture);

-- Read model of the streams uploader-<userId>: businesses that asked for an admin's look.
create table uploaders (
  user_id    integer primary key,
  state      text        not null,
  asked_at   timestamptz not null,
  decided_at timestamptz
);
create index uploaders_asked on uploaders (asked_at) where state = 'asked';

-- Not read models: words of people, which stay out of the log and go with the photo; likes; requests.
create table photo_texts (
  photo_id    integer primary key,
  title       text        not null,
  description text,
  -- Why an admin said no.
  reason      text,
  written_at  timestamptz not null
);
create table photo_uploads (
  user_id     integer     not null,
  key         text        not null,
  photo_id    integer     not null,
  fingerprint text        not null,
  created_at  timestamptz not null,
  primary key (user_id, key)
);
create index photo_uploads_recent on photo_uploads (user_id, created_at);
create table photo_likes (
  photo_id   integer     not null,
  user_id    integer     not null,
  created_at timestamptz not null,
  primary key (photo_id, user_id)
);
create index photo_likes_user on photo_likes (user_id);
create table photo_like_counts (
  photo_id integer primary key,
  likes    integer not null
);
create table photo_reports (
  photo_id   integer     not null,
  user_id    integer     not null,
  reason     text        not null,
  note       text,
  created_at timestamptz not null,
  primary key (photo_id, user_id)
);
create index photo_reports_user on photo_reports (user_id, created_at);
create table uploader_requests (
  user_id       integer primary key,
  business_name text not null,
  about         text not null
);

-- Pictures of the gallery that are in storage, or may be: written before the first of their files, deleted after the last.
create table picture_files (
  name           text primary key,
  -- Until then an upload that is under way needs it, whether or not a photo names it.
  kept_until     timestamptz not null,
  -- Until then somebody deletes its files; an upload of the same picture waits.
  deleting_until timestamptz
);
create index picture_files_kept on picture_files (kept_until);

-- Copies of what other services say: events, and orders with tickets.
create table gallery_events (
  event_id        integer primary key,
  title           text        not null,
  starts_at       timestamptz not null,
  status          text        not null,
  catalog_version integer     not null
);
create table ticket_orders (
  order_id    uuid primary key,
  event_id    integer not null,
  -- Null: a guest's, or not heard of yet.
  buyer_id    integer,
  bought      integer not null,
  returned    integer not null,
  -- Nothing of it stands any more, whatever comes late.
  is_returned boolean not null
);
create index ticket_orders_buyer on ticket_orders (buyer_id, event_id);
