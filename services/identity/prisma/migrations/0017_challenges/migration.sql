-- Until when tickets of an event are to be had: what a challenge is made from. Events that were heard of before have none until they
-- are told of again.
alter table engagement_events add column sells_until timestamptz;
create index engagement_events_on_day on engagement_events (day);
-- The reward of a challenge is of no event.
alter table counted_facts alter column event_id drop not null;

-- Read models of the streams challenge-<week>-<type>.
create table challenges (
  id           text        primary key,
  -- What the reward is counted under.
  number       integer     not null,
  -- The Sunday its week begins on.
  week         date        not null,
  type         text        not null,
  place        text,
  reward       integer     not null,
  max_progress integer     not null,
  -- Null: everybody who meets it is rewarded.
  places       integer,
  expires_at   timestamptz not null,
  created_at   timestamptz not null
);
create unique index challenges_number on challenges (number);
create index challenges_of_week on challenges (week);
-- Of those with places: who has met them, and who has a place.
create table challenge_standings (
  challenge_id text        not null,
  user_id      integer     not null,
  met_at       timestamptz not null,
  has_place    boolean     not null,
  primary key (challenge_id, user_id)
);
create index challenge_standings_of_user on challenge_standings (user_id);
create index challenge_standings_places on challenge_standings (challenge_id) where has_place;

-- No read model: whose challenges of which week are to be looked at.
create table challenge_checks (
  user_id      integer     not null,
  week         date        not null,
  leased_until timestamptz not null default now(),
  -- Counts what was said since: a look that began before is looked at again.
  generation   integer     not null default 0,
  primary key (user_id, week)
);
create index challenge_checks_due on challenge_checks (leased_until);
