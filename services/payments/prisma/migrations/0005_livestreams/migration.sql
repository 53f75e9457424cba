-- Of a live stream: how it was configured when it was asked to be paid, as JSON.
alter table payments add column livestream text;
-- Null: not heard of since this column is here.
alter table promotable_events add column starts_at timestamptz;
