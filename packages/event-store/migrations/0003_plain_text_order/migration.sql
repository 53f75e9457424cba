-- Stream names are compared byte by byte, whatever the database's language: the fence is looked up with every event.
alter table events alter column stream type text collate "C";
