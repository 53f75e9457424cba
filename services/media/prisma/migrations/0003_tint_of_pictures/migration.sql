-- Null for pictures of before: they keep their address, in two sizes and without a tint.
alter table images add column tint text check (tint ~ '^[0-9a-f]{6}$');
