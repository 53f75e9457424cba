-- Why an ad is over; of those of before, as a rebuild would write it.
alter table ads add column end_reason text;
update ads set end_reason = e.data::jsonb ->> 'reason' from events e where e.stream = 'ad-' || ads.ad_id and e.type = 'AdEnded';
