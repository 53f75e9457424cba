-- What is promoted now, of each level, and until when. A read model of the event streams.
create table promotions (
  event_id integer        not null,
  level    text           not null check (level in ('featured', 'premium', 'livestream')),
  ends_at  timestamptz(3) not null,
  primary key (event_id, level)
);
create index promotions_ending on promotions (ends_at);
create index promotions_of_level on promotions (level, event_id);
