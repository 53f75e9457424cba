-- The position is that of the town or quarter that the location lies in. Listings of before are looked at again by their index version.
alter table listings add column place_is_approximate boolean not null default false;
