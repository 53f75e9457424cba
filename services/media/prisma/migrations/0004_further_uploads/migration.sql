-- Who sent the same bytes after the first: the picture stays for them when the first leaves. 0: an ad, which is no account's.
create table further_uploads (
  source_hash text        not null,
  uploaded_by integer     not null,
  created_at  timestamptz not null default now(),
  primary key (source_hash, uploaded_by)
);
create index further_uploads_of_person on further_uploads (uploaded_by);
