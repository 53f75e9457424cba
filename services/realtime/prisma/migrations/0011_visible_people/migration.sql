-- Whether a person shows a profile to others, as identity said last.
alter table community_people add column is_visible boolean not null default false;
