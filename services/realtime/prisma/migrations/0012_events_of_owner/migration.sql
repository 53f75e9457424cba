-- What was reported in the rooms of one organiser.
create index chat_events_owner on chat_events (owner_id);
