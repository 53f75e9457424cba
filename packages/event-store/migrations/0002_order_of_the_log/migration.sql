-- The log is read in the order (tx, position). By position alone an event was lost: a transaction can take a lower position than
-- another and a higher number, and commit after it; a reader below the oldest open transaction had then passed it.
-- Within a stream both orders are the same: a version's transaction begins after the one before it has committed.
create index events_order on events (tx, position);
drop index events_position;

-- What lies between is told again; readers know it.
alter table checkpoints add column tx xid8 not null default '0';
update checkpoints set tx = events.tx from events where events.position = checkpoints.position;
