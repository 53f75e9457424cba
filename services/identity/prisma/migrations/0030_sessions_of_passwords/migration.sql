-- Each session names the password that it was begun with.
update sessions s set credential_id = u.credential_id from users u where u.id = s.user_id and s.credential_id is null;
alter table sessions alter column credential_id set not null;
