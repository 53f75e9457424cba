-- Read model of the streams user-<id>: who registered by whose link.
create table referrals (
  referred_id integer     primary key,
  referrer_id integer     not null,
  joined_at   timestamptz not null,
  -- When the account that was referred was erased.
  left_at     timestamptz
);
create index referrals_of_referrer on referrals (referrer_id, joined_at desc, referred_id desc);
-- The reward of a referral is of no event.
alter table counted_facts alter column event_id drop not null;

-- What follows is no read model. The code of an account, made when it is first asked for.
create table referral_codes (
  user_id integer primary key,
  code    text    not null
);
create unique index referral_codes_code_key on referral_codes (code);
-- Keyed digest of the network that an account was opened from. Swept after 90 days.
create table signup_networks (
  user_id     integer     primary key,
  network_key text        not null,
  noted_at    timestamptz not null
);
create index signup_networks_key on signup_networks (network_key);
create index signup_networks_noted_at on signup_networks (noted_at);
-- What an admin is shown of a referral that may be of one person. Swept after 90 days.
create table referral_hints (
  referred_id  integer     primary key,
  referrer_id  integer     not null,
  same_network boolean     not null,
  same_device  boolean     not null,
  noted_at     timestamptz not null
);
create index referral_hints_latest on referral_hints (noted_at desc, referred_id desc);
create index referral_hints_of_referrer on referral_hints (referrer_id);
