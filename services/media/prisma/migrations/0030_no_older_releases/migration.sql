-- Every message names the version of its event: the time of the message decides nothing any more.
alter table posters drop column told_at;

-- Every picture has a tint, which is part of its name.
delete from images where tint is null;
alter table images alter column tint set not null;
