-- Read model of the streams audit-<subject>: what admins did on the page /ops.
create table audit_entries (
  stream     text        not null,
  version    integer     not null,
  account_id integer     not null,
  kind       text        not null,
  subject    text        not null,
  note       text        not null,
  at         timestamptz not null,
  primary key (stream, version)
);
create index audit_entries_newest on audit_entries (at, stream, version);
create index audit_entries_of_account on audit_entries (account_id, at, stream, version);
create index audit_entries_of_subject on audit_entries (subject, at);

-- No call of ours changes an entry. This refuses it to everything else that uses the service's role; a rebuild truncates the table
-- and writes it from the log.
create function audit_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit are never changed';
end $$;
create trigger audit_entries_are_kept before update or delete on audit_entries for each row execute function audit_is_kept();
create trigger audit_events_are_kept before update or delete on events for each row
  when (old.stream like 'audit-%') execute function audit_is_kept();
