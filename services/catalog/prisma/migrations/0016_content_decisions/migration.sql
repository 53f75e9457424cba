-- How far what admins decided of a thing that was reported has come here: what is heard late changes nothing.
create table content_decisions (
  kind       text    not null,
  content_id text    not null,
  decision   integer not null,
  primary key (kind, content_id)
);
