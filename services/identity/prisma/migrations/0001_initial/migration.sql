create sequence user_ids as integer;

-- Read model of the streams user-<id>; only its projection writes it.
create table users (
  id integer primary key,
  email text not null unique,
  -- The row in credentials with the password hash; it is written before the event that refers to it.
  credential_id uuid not null,
  name text not null,
  role text not null check (role in ('user', 'business', 'admin')),
  stripe_customer_id text,
  stripe_subscription_id text,
  subscription_status text not null default 'inactive',
  subscription_plan text not null default 'free',
  -- Rises when the role, the address or the password changes and when the account is suspended; tokens of a lower
  -- generation are refused.
  generation integer not null default 0,
  generation_raised_at timestamptz,
  created_at timestamptz not null,
  -- When the current address was verified; null: it was not.
  email_verified_at timestamptz,
  -- Since when the account is suspended; null: it is not.
  suspended_at timestamptz,
  -- The end of the suspension; null while suspended: permanent.
  suspended_until timestamptz,
  constraint users_email_lower check (email = lower(email))
);
create index users_generation_raised_at on users (generation_raised_at) where generation_raised_at is not null;
-- The few suspended accounts, which leaderboards leave out.
create index users_suspended on users (id) where suspended_at is not null;
-- For the job that records the end of suspensions (src/user/suspension.ts).
create index users_suspended_until on users (suspended_until) where suspended_until is not null;

-- Read model of the streams session-<id>: sessions that were ended early. Only its projection writes it.
create table revoked_sessions (
  session_id uuid primary key,
  user_id integer not null,
  reason text not null,
  revoked_at timestamptz not null
);
create index revoked_sessions_revoked_at on revoked_sessions (revoked_at);

create table credentials (
  id uuid primary key,
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id integer not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  -- The password that the session began with: the session ends when the account gets another.
  credential_id uuid not null,
  -- Browser and system, such as 'Firefox on Windows'.
  device text not null default '',
  -- The authenticator secret that the session proved, by a code, a passkey or turning codes on; null: none. An admin
  -- acts as one only in a session that proved the current secret (docs/decisions/0113).
  totp_secret_id uuid
);
create index sessions_ends_at on sessions (ends_at);
-- For ending all sessions of an account.
create index sessions_user_id on sessions (user_id);

create table refresh_tokens (
  -- sha256 of the token, so that a reader of this table cannot use it.
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at timestamptz not null,
  -- Set when the token was exchanged. The successor is sealed with this token, so only its holder can open it.
  replaced_at timestamptz,
  successor text,
  check ((replaced_at is null) = (successor is null))
);
create index refresh_tokens_session on refresh_tokens (session_id);
-- At most one current token per session, also when exchanges are concurrent.
create unique index refresh_tokens_current on refresh_tokens (session_id) where replaced_at is null;

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- PKCS #8, sealed with KEY_ENCRYPTION_SECRET.
  private text not null,
  -- The key is published when it is created; it signs from this time until a newer key does.
  signs_from timestamptz not null
);

create table login_attempts (
  -- sha256 of an email with the address or device that tried it; hashed, because people type passwords into the email
  -- field.
  key bytea primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  tried_at timestamptz not null
);
create index login_attempts_tried_at on login_attempts (tried_at);

-- Budgets of sign-in attempts, per account and per address (src/throttle/waits.ts).
create table login_budgets (
  -- sha256 of an account's email or of an address.
  key bytea primary key,
  -- When the whole budget is available again; each attempt moves it later.
  spent_until timestamptz not null
);
create index login_budgets_spent_until on login_budgets (spent_until);

-- Attempts reserved for sites that found an account's budget spent.
create table login_places (
  -- sha256 of an account's email with the site of the attempt, an IPv4 address or an IPv6 /48.
  key bytea primary key,
  -- When the reserved attempt may be made.
  due timestamptz not null
);
create index login_places_due on login_places (due);

-- Messages of the contact form. Not in the log; deleted after a year (src/jobs.ts).
create table contact_messages (
  id uuid primary key,
  email text not null,
  phone text,
  comments text not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by integer
);
create index contact_messages_newest on contact_messages (created_at desc, id desc);
create index contact_messages_open on contact_messages (created_at desc, id desc) where answered_at is null;

-- Read model of the streams audit-…: one row per action of an admin. Rows are never changed.
create table audit_entries (
  stream text not null,
  version integer not null,
  account_id integer not null,
  kind text not null,
  subject text not null,
  note text not null,
  at timestamptz not null,
  primary key (stream, version)
);
create index audit_entries_newest on audit_entries (at, stream, version);
create index audit_entries_of_account on audit_entries (account_id, at, stream, version);
create index audit_entries_of_subject on audit_entries (subject, at);

-- Read model of the streams user-<id>: erased accounts, whose rows in users are deleted.
create table erased_users (
  user_id integer primary key,
  -- Tokens of a lower generation are refused everywhere.
  generation integer not null,
  erased_at timestamptz not null
);
create index erased_users_erased_at on erased_users (erased_at);

-- The latest requested change of an account's address, deleted after two days. Not a read model.
create table email_changes (
  user_id integer primary key,
  id uuid not null,
  email text not null,
  -- The account's address and password when the change was requested: if either has changed since, the change is void.
  before text not null,
  credential_id uuid not null,
  asked_at timestamptz not null
);
create index email_changes_asked_at on email_changes (asked_at);

-- The public half of a key pair that an authenticator keeps: a second way to sign in. Not a read model: like
-- credentials it is outside the log and must be in backups.
create table passkeys (
  id uuid primary key,
  user_id integer not null,
  -- The authenticator's id of the key pair, in base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's signature counter: one that does not rise reveals a cloned key. Always 0 for authenticators
  -- that do not count.
  counter bigint not null,
  transports text[] not null,
  -- The id under which the authenticator stores the account: random, neither its number nor its address.
  user_handle text not null,
  name text not null,
  -- The account's generation when the passkey was added: a password reset deletes passkeys of lower generations.
  generation integer not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user_id on passkeys (user_id, created_at);

-- Random texts for authenticators to sign: each is valid once, for five minutes.
create table passkey_challenges (
  -- sha256 of the challenge.
  hash bytea primary key,
  -- For adding a passkey: the account, its user handle and its generation. null: for signing in.
  user_id integer,
  user_handle text,
  generation integer,
  made_at timestamptz not null
);
create index passkey_challenges_made_at on passkey_challenges (made_at);
create index passkey_challenges_user_id on passkey_challenges (user_id);

-- Read model of the streams totp-<user id>: accounts whose sign-ins require a code.
create table totp_factors (
  user_id integer primary key,
  secret_id uuid not null,
  turned_on_at timestamptz not null,
  -- The 30-second time step of the last used code: that code and earlier ones are refused.
  last_step integer not null,
  recovery_codes_left integer not null
);

-- Secrets of authenticator apps. Not a read model: like credentials they are outside the log and must be in backups. A
-- secret that no account uses is deleted after a day.
create table totp_secrets (
  id uuid primary key,
  user_id integer not null,
  -- Base32, sealed with KEY_ENCRYPTION_SECRET.
  sealed text not null,
  created_at timestamptz not null
);
create index totp_secrets_user_id on totp_secrets (user_id, created_at);

create table totp_recovery_codes (
  secret_id uuid not null references totp_secrets (id) on delete cascade,
  number integer not null,
  -- sha256 of 120 random bits with the id of the secret.
  hash bytea not null,
  primary key (secret_id, number)
);

-- Sign-ins with a right password and a pending code.
create table totp_challenges (
  -- sha256 of the challenge.
  hash bytea primary key,
  user_id integer not null,
  -- The password that was proved: the challenge ends when the account gets another.
  credential_id uuid not null,
  tries integer not null,
  made_at timestamptz not null
);
create index totp_challenges_made_at on totp_challenges (made_at);
create index totp_challenges_user_id on totp_challenges (user_id);

-- Read model of the streams case-<kind>.<id>: reported content and its state.
create table moderation_cases (
  case_id text primary key,
  kind text not null,
  content_id text not null,
  author_id integer,
  state text not null,
  standing text not null,
  open_reports integer not null,
  decisions integer not null,
  changed_at timestamptz not null
);
create index moderation_cases_queue on moderation_cases (state, changed_at desc, case_id desc);
create index moderation_cases_author on moderation_cases (author_id, changed_at desc, case_id desc);
-- For the queue of one kind.
create index moderation_cases_of_kind on moderation_cases (state, kind, changed_at desc, case_id desc);

-- Read model of the same streams: what admins decided, numbered from 1 in each case.
create table moderation_decisions (
  case_id text not null,
  number integer not null,
  action text not null,
  reason text not null,
  admin_id integer not null,
  at timestamptz not null,
  until timestamptz,
  appealed_at timestamptz,
  outcome text,
  primary key (case_id, number)
);

-- Who reported what, and why. Not a read model: notes that people wrote stay out of the log.
create table moderation_reports (
  case_id text not null,
  reporter_id integer not null,
  reason text not null,
  note text,
  at timestamptz not null,
  -- The version of the reported text. After moderators kept it and its author changed it, the account may report again.
  version integer not null default 0,
  -- The number of decisions about the case when it was reported: after a later one the account may report again.
  decisions integer not null default 0,
  primary key (case_id, reporter_id)
);
create index moderation_reports_reporter on moderation_reports (reporter_id, at);
create index moderation_reports_newest on moderation_reports (case_id, at desc);

-- The beginning of the reported text, as of the latest report. Not a read model.
create table moderation_texts (
  case_id text primary key,
  author_id integer,
  excerpt text not null,
  path text not null
);
create index moderation_texts_author on moderation_texts (author_id);

-- An admin's note on a decision, and the author's appeal. Not a read model.
create table moderation_words (
  case_id text not null,
  number integer not null,
  note text,
  appeal text,
  primary key (case_id, number)
);

-- The last language of an account's pages: its mails are written in it. Not a read model.
create table account_languages (
  user_id integer primary key,
  language text not null check (language in ('en', 'es'))
);

-- Read model of the streams engagement-<user id>: sums of an account's counted facts.
create table engagement_profiles (
  user_id integer primary key,
  is_visible boolean not null default false,
  points integer not null default 0,
  events_attended integer not null default 0,
  photos_shared integer not null default 0,
  connections integer not null default 0
);

-- Read model of the same streams: each fact that counts for an account.
create table counted_facts (
  user_id integer not null,
  kind text not null,
  -- By kind: the event attended, the photo, the referred or connected account, or the challenge's number.
  subject_id integer not null,
  event_id integer,
  -- The day in New York on which the fact counts, and the Sunday on which its week begins.
  day date not null,
  week date not null,
  points integer not null,
  category text,
  place text,
  basis text,
  counted_at timestamptz not null,
  primary key (user_id, kind, subject_id)
);
create index counted_facts_latest on counted_facts (user_id, counted_at desc, kind desc, subject_id desc);
-- For accounts that attended the same event.
create index counted_facts_attended on counted_facts (subject_id, user_id desc) where kind = 'attended';
-- For challenges: the facts of an account in a week, and all accounts with facts in a week.
create index counted_facts_of_week on counted_facts (week, user_id) where kind in ('attended', 'photo');

-- Read model of the same streams: the badges of an account.
create table user_badges (
  user_id integer not null,
  badge_id text not null,
  unlocked_at timestamptz not null,
  primary key (user_id, badge_id)
);

-- Read model of the same streams: points by week (0001-01-01: all time) and town ('': everywhere).
create table leaderboard_scores (
  user_id integer not null,
  week date not null,
  place text not null,
  points integer not null,
  is_visible boolean not null,
  primary key (user_id, week, place)
);
create index leaderboard_scores_seen on leaderboard_scores (week, place, points desc, user_id) where is_visible;

-- The catalog's latest state of an event, as far as points depend on it. Not a read model.
create table engagement_events (
  event_id integer primary key,
  title text not null,
  ends_at timestamptz not null,
  day date not null,
  category text,
  place text,
  status text not null,
  version bigint not null,
  -- The latest time at which a ticket can be bought: weekly challenges are made from events with tickets on sale. null:
  -- none are sold.
  sells_until timestamptz,
  -- The organizer, who earns no points at their own event; null: only the cancellation has arrived.
  organizer_id integer
);
create index engagement_events_on_day on engagement_events (day);

-- Ticketing's orders: the buyer, and how many tickets were bought and returned. Not a read model.
create table engagement_orders (
  order_id uuid primary key,
  event_id integer not null,
  buyer_id integer,
  bought integer not null,
  returned integer not null,
  is_returned boolean not null,
  -- True while a lost dispute makes the order's tickets void, and the version of ticketing's message about it: a newer
  -- message replaces it.
  is_void boolean not null default false,
  validity_version integer not null default 0
);
create index engagement_orders_of_event on engagement_orders (event_id, buyer_id);
create index engagement_orders_of_buyer on engagement_orders (buyer_id);

-- Media's latest state of a gallery photo. Not a read model.
create table engagement_photos (
  photo_id integer primary key,
  uploader_id integer,
  event_id integer,
  is_shown boolean not null,
  said_at timestamptz not null,
  -- When it was first shown; null: it was not.
  shown_at timestamptz
);
create index engagement_photos_of_uploader on engagement_photos (uploader_id);
create index engagement_photos_of_event on engagement_photos (event_id, uploader_id);

-- Read model of the streams challenge-<week>-<type>: the weekly challenges.
create table challenges (
  id text primary key,
  -- The subject_id of the challenge's reward in counted_facts.
  number integer not null,
  -- The Sunday on which its week begins.
  week date not null,
  type text not null,
  place text,
  reward integer not null,
  max_progress integer not null,
  -- The number of rewards; null: unlimited.
  places integer,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create unique index challenges_number on challenges (number);
create index challenges_of_week on challenges (week);

-- Read model of the same streams: for challenges with limited places, the accounts that met them and which of these
-- hold a place.
create table challenge_standings (
  challenge_id text not null,
  user_id integer not null,
  met_at timestamptz not null,
  has_place boolean not null,
  primary key (challenge_id, user_id)
);
create index challenge_standings_of_user on challenge_standings (user_id);
create index challenge_standings_places on challenge_standings (challenge_id) where has_place;

-- Read model of the streams engagement-<user id>: whether an account wants a connection with another one that it met.
-- Two accounts are connected when both want it.
create table connection_wishes (
  user_id integer not null,
  other_id integer not null,
  -- False: the account withdrew its request, or declined the other's.
  wants boolean not null,
  said_at timestamptz not null,
  primary key (user_id, other_id)
);
create index connection_wishes_of_other on connection_wishes (other_id, user_id);
-- Requests by an account, and with the next index to an account, latest first.
create index connection_wishes_latest on connection_wishes (user_id, said_at desc, other_id desc) where wants;
create index connection_wishes_of_other_latest on connection_wishes (other_id, said_at desc, user_id desc) where wants;

-- Read model of the streams user-<id>: accounts that registered by another account's link.
create table referrals (
  referred_id integer primary key,
  referrer_id integer not null,
  joined_at timestamptz not null,
  -- When the referred account was erased; null: it was not.
  left_at timestamptz
);
create index referrals_of_referrer on referrals (referrer_id, joined_at desc, referred_id desc);

-- An account's referral code, created on first use. Not a read model.
create table referral_codes (
  user_id integer primary key,
  code text not null
);
create unique index referral_codes_code_key on referral_codes (code);

-- Keyed digest of the network from which an account registered. Deleted after 90 days.
create table signup_networks (
  user_id integer primary key,
  network_key text not null,
  noted_at timestamptz not null
);
create index signup_networks_key on signup_networks (network_key);
create index signup_networks_noted_at on signup_networks (noted_at);

-- Signs that both accounts of a referral belong to one person: admins see them, and neither account earns points at the
-- other's events. Deleted after 90 days.
create table referral_hints (
  referred_id integer primary key,
  referrer_id integer not null,
  same_network boolean not null,
  same_device boolean not null,
  noted_at timestamptz not null
);
create index referral_hints_latest on referral_hints (noted_at desc, referred_id desc);
create index referral_hints_of_referrer on referral_hints (referrer_id);

-- Read model of the streams engagement-<user id>: facts that counted and no longer do. Counting one again deletes its
-- row.
create table taken_back_facts (
  user_id integer not null,
  kind text not null,
  subject_id integer not null,
  event_id integer,
  day date not null,
  points integer not null,
  basis text,
  counted_at timestamptz not null,
  taken_back_at timestamptz not null,
  primary key (user_id, kind, subject_id)
);
create index taken_back_facts_latest on taken_back_facts (user_id, counted_at desc, kind desc, subject_id desc);

-- The service changes no audit entry. The trigger refuses it to everything else that uses the service's role; a rebuild
-- truncates the table and writes it from the log.
create function audit_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit are never changed';
end $$;

create trigger audit_entries_are_kept before delete or update on audit_entries
  for each row execute function audit_is_kept();
-- Row triggers do not see a truncate. The log is never truncated; a rebuild truncates read models only.
create trigger events_are_not_emptied before truncate on events for each statement execute function audit_is_kept();
create trigger audit_events_are_not_removed before delete on events for each row
  when (old.stream like 'audit-%') execute function audit_is_kept();
create trigger audit_events_are_kept before update on events for each row
  when (old.stream like 'audit-%' and to_jsonb(old) - 'tx' is distinct from to_jsonb(new) - 'tx')
  execute function audit_is_kept();
