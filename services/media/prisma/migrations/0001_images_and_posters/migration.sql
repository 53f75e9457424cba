create table images (
  source_hash text primary key check (source_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  uploaded_by integer,
  created_at timestamptz not null default now()
);

create table posters (
  event_id integer primary key,
  title text not null,
  location text not null,
  event_date text not null,
  event_start_time text not null,
  tags text[] not null,
  version text not null,
  told_at timestamptz not null
);
