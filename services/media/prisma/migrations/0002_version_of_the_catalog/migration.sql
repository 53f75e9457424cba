-- Of the catalog's stream, from which the row comes: an older message never replaces a newer. 0: from before it was said.
alter table posters add column catalog_version integer not null default 0;
