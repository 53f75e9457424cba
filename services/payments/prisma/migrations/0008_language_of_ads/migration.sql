-- The language that an ad was last ordered in: mails to its buyer follow it.
alter table ad_orders add column language text not null default 'en';
