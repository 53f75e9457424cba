-- Who does a job that one instance does at a time, and until when. A few rows, written only while there is work.
create table leases (
  name       text primary key,
  holder     uuid        not null,
  expires_at timestamptz not null
);
