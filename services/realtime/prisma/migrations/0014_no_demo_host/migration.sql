-- The chat's demo host is gone.
delete from chat_messages where is_demo;
alter table chat_messages drop column is_demo;
