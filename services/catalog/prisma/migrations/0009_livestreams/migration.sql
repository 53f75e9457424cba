-- How a live stream was configured.
alter table listings add column livestream_max_viewers integer, add column livestream_chat_enabled boolean,
  add column livestream_recording_enabled boolean;
-- Those that are to come, and those that are live.
create index listings_livestreams on listings (livestream_end_time)
  where is_livestream and livestream_status in ('scheduled', 'live');
-- What is promoted is found by `promotions`.
drop index listings_promoted;

-- Who may upload a clip for which event, and until when: whoever paid for a promotion with one. A read model of the event streams.
create table clip_rights (
  promotion_id uuid           primary key,
  event_id     integer        not null,
  user_id      integer        not null,
  until        timestamptz(3) not null
);
create index clip_rights_of_event on clip_rights (event_id);
create index clip_rights_of_user on clip_rights (user_id);
