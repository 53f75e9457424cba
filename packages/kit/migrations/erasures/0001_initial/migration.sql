-- Erased accounts, as reported by identity: an id and a time, and nothing about the person. Rows are kept forever, so that
-- data restored from an older backup is erased again.
create table erasures (
  user_id   integer     primary key,
  erased_at timestamptz not null
);
