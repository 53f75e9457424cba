-- So many hours before an event begins its buyers may cancel; null: never. Events of before have the default.
alter table listings add column refund_deadline_hours integer default 24;
