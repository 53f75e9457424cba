-- The language that its buyer checked out in: mails, tickets on paper and calendar files follow it.
alter table checkouts add column language text not null default 'en';
