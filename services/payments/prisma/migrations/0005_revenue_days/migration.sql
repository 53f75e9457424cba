-- What was taken on each day in New York, by what was sold: sums over the log, added up behind it (src/revenue/follow.ts).
create table revenue_days (
  day            date    not null,
  -- tickets, promotion:<level>, livestream, ad:<package>
  item           text    not null,
  -- 0: an ad is of none.
  event_id       integer not null,
  -- 0: owed to nobody.
  organiser_id   integer not null,
  -- Cents: refunds and lost disputes taken off on the day that they were booked.
  cents          bigint  not null,
  -- Of these what the platform keeps.
  fee_cents      bigint  not null,
  -- Payments that succeeded.
  payments       integer not null,
  primary key (day, item, event_id, organiser_id)
);
create index revenue_days_of_organiser on revenue_days (organiser_id, day) include (item, event_id, cents, fee_cents, payments);
create index revenue_days_of_event on revenue_days (event_id, item, day);
-- Whose events these are, for what was bought to promote them.
create index promotable_events_of_owner on promotable_events (owner_id);
