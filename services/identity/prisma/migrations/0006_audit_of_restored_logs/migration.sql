-- A log that comes from a dump has numbers of transactions of another server, and gets new ones (decision 7). That number is no part of an
-- event: the trigger refused it, and the relay of a restored identity never began.
drop trigger audit_events_are_kept on events;
create trigger audit_events_are_not_removed before delete on events for each row
  when (old.stream like 'audit-%') execute function audit_is_kept();
create trigger audit_events_are_kept before update on events for each row
  when (old.stream like 'audit-%' and to_jsonb(old) - 'tx' is distinct from to_jsonb(new) - 'tx') execute function audit_is_kept();
