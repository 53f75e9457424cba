-- What was reported and moderated of a service's content (packages/kit/src/service/moderated.ts). The reports are identity's.
create table moderated_contents (
  kind       text    not null,
  content_id text    not null,
  -- How many reports identity has.
  reports    integer not null default 0,
  -- How many of them moderators of this service settled.
  settled    integer not null default 0,
  -- A column, so that the planner knows how few there are.
  is_open    boolean not null generated always as (reports > settled) stored,
  -- Reports of an older version of the text can be made again.
  since      integer not null default 0,
  -- The newest decision of an admin that was done here.
  decision   integer not null default 0,
  primary key (kind, content_id)
);
create index moderated_contents_open on moderated_contents (kind) where is_open;
