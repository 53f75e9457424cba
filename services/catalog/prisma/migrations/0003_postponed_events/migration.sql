-- A third state: it has no date. Checked without holding up writers; every row there is has one of the two others.
alter table listings drop constraint listings_status_check;
alter table listings add constraint listings_status_check check (status in ('published', 'postponed', 'cancelled')) not valid;
alter table listings validate constraint listings_status_check;
create index listings_postponed on listings (event_date desc, event_id desc) where status = 'postponed';
