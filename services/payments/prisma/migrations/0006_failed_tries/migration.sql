-- How many tries of a task failed: after so many of a refund people must look.
alter table provider_tasks add column failures integer not null default 0;
