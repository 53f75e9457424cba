-- One word for one thing: the account that owns an event is its organiser.
alter table listings rename column owner_id to organiser_id;
alter index listings_of_owner rename to listings_of_organiser;
