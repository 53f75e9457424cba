-- Who organizes an event: what they attend of their own earns nothing. The group `identity.organizers` fills it for events of before.
alter table engagement_events add column organizer_id integer;
create index engagement_photos_of_event on engagement_photos (event_id, uploader_id);
