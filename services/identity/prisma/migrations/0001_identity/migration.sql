-- Read model of the streams user-<id>: rebuilt from the log, so nothing else may write it.
create table users (
  id                     integer     primary key,
  email                  text        not null,
  -- The hash itself is no fact about the user and stands in no event: see credentials.
  credential_id          uuid        not null,
  name                   text        not null,
  role                   text        not null check (role in ('user', 'business', 'admin')),
  stripe_customer_id     text,
  stripe_subscription_id text,
  subscription_status    text        not null default 'inactive',
  subscription_plan      text        not null default 'free',
  -- Rises with each change of rights; tokens of a lower one are refused.
  generation             integer     not null default 0,
  generation_raised_at   timestamptz,
  created_at             timestamptz not null,
  -- One spelling per address: this is what makes the unique index case-insensitive.
  constraint users_email_lower check (email = lower(email)),
  constraint users_email_key unique (email)
);
create index users_generation_raised_at on users (generation_raised_at) where generation_raised_at is not null;

create sequence user_ids as integer;

-- Read model of the streams session-<id>.
create table revoked_sessions (
  session_id uuid        primary key,
  user_id    integer     not null,
  reason     text        not null,
  revoked_at timestamptz not null
);
create index revoked_sessions_revoked_at on revoked_sessions (revoked_at);

-- What follows is no read model: it is not in the log, so that the log can be shared, and must be backed up with it.

create table credentials (
  id            uuid        primary key,
  password_hash text        not null,
  created_at    timestamptz not null default now()
);

-- The user id an Idempotency-Key of a registration was given: the same key is the same user.
create table registrations (
  command_id uuid    primary key,
  user_id    integer not null default nextval('user_ids')
);

create table sessions (
  id         uuid        primary key,
  user_id    integer     not null,
  created_at timestamptz not null,
  ends_at    timestamptz not null
);
create index sessions_ends_at on sessions (ends_at);

create table refresh_tokens (
  -- sha256 of the token: whoever reads this table holds no token.
  hash        bytea       primary key,
  session_id  uuid        not null references sessions (id) on delete cascade,
  issued_at   timestamptz not null,
  -- Set when it was exchanged; the successor is sealed with the token itself, so only its holder can open it.
  replaced_at timestamptz,
  successor   text,
  check ((replaced_at is null) = (successor is null))
);
create index refresh_tokens_session on refresh_tokens (session_id);
-- A session has one token in force, whatever races.
create unique index refresh_tokens_current on refresh_tokens (session_id) where replaced_at is null;

create table signing_keys (
  kid        text        primary key,
  public_jwk jsonb       not null,
  -- PKCS #8, sealed with KEY_ENCRYPTION_SECRET.
  private    text        not null,
  -- Published from the beginning, signs from then on, until the next one does.
  signs_from timestamptz not null
);

create table login_attempts (
  -- sha256: people type passwords into the email field.
  key           bytea       primary key,
  failures      integer     not null,
  blocked_until timestamptz not null,
  tried_at      timestamptz not null
);
create index login_attempts_tried_at on login_attempts (tried_at);
