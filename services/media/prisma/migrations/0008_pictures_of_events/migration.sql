-- Pictures of events that are in storage, or may be: written before the first of their files, deleted after the last.
create table image_files (
  -- Its name in storage and in its address: the hash of its large size, with its tint where it has one.
  name           text primary key,
  -- Until then nobody looks whether somebody names it.
  kept_until     timestamptz not null,
  -- When the last look found nobody who names it; null: somebody did, or it was kept since.
  unnamed_since  timestamptz,
  -- Until then somebody deletes its files; an upload of the same picture waits.
  deleting_until timestamptz
);
create index image_files_kept on image_files (kept_until);
insert into image_files (name, kept_until)
  select distinct hash || coalesce('-' || tint, ''), now() + interval '30 days' from images;
create index images_hash on images (hash);
