-- Read model of the streams engagement-<user id>: what each says of whom they met. A connection is what both say.
create table connection_wishes (
  user_id  integer     not null,
  other_id integer     not null,
  -- False: taken back, or turned down.
  wants    boolean     not null,
  said_at  timestamptz not null,
  primary key (user_id, other_id)
);
create index connection_wishes_of_other on connection_wishes (other_id, user_id);

alter table engagement_profiles add column connections integer not null default 0;
-- Who attended the same event.
create index counted_facts_attended on counted_facts (subject_id, user_id desc) where kind = 'attended';
