-- One word for one thing: the account that an event or a series belongs to is its organiser, as in `follows`.
alter table listings rename column owner_id to organiser_id;
alter table event_series rename column owner_id to organiser_id;
alter index listings_owner rename to listings_organiser;
