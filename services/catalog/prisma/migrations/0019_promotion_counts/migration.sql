-- How often a promoted event was seen in its place, and how often all events in that place were seen while it was promoted. Apart from the
-- read model, so that a rebuild leaves it alone.
create table promotion_counts (
  event_id    integer not null,
  place       text    not null check (place in ('featured', 'premium')),
  impressions integer not null default 0,
  of_place    bigint  not null default 0,
  primary key (event_id, place)
) with (fillfactor = 50);
