-- Whether a broadcast is the demo's clip, and no camera.
alter table broadcasts add column is_clip boolean not null default false;
