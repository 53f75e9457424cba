-- When an event was last changed, or else published: calendars ask. Of the log, for events of before.
alter table listings add column changed_at timestamptz(3) not null default now();
update listings l set changed_at = e.occurred_at from events e where e.stream = 'event-' || l.event_id and e.version = l.version;

-- The search rows of cancelled events, apart from all others: only feeds read them, so that a calendar that has the event learns of it.
-- Events that were cancelled before are indexed when the service starts (src/search/catch-up.ts).
create table cancelled_search (
  event_id      integer        primary key,
  starts_at     timestamptz(3) not null,
  ends_at       timestamptz(3) not null,
  created_at    timestamptz(3) not null,
  price_cents   integer,
  capacity      integer,
  sales_start   timestamptz(3),
  sales_end     timestamptz(3),
  popularity    integer        not null,
  position      point,
  document      tsvector       not null,
  event_version integer        not null,
  index_version integer        not null
);
create index cancelled_search_soonest on cancelled_search (starts_at, event_id);
create index cancelled_search_document on cancelled_search using gin (document);
