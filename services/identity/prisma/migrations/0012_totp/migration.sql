-- Read model of the streams totp-<user id>: accounts whose sign-ins ask for a code.
create table totp_factors (
  user_id             integer     primary key,
  secret_id           uuid        not null,
  turned_on_at        timestamptz not null,
  -- The step of the last code that was used: it and those before it are good no more.
  last_step           integer     not null,
  recovery_codes_left integer     not null
);

-- What follows is no read model: like credentials it is not in the log, and is backed up with it.
create table totp_secrets (
  id         uuid        primary key,
  user_id    integer     not null,
  -- Base32, sealed with KEY_ENCRYPTION_SECRET.
  sealed     text        not null,
  created_at timestamptz not null
);
create index totp_secrets_user_id on totp_secrets (user_id, created_at);

create table totp_recovery_codes (
  secret_id uuid    not null references totp_secrets (id) on delete cascade,
  number    integer not null,
  -- sha256 of 80 random bits, with the id of the secret.
  hash      bytea   not null,
  primary key (secret_id, number)
);

-- Of sign-ins whose password was right and whose code is still to come.
create table totp_challenges (
  -- sha256 of the challenge.
  hash          bytea       primary key,
  user_id       integer     not null,
  -- The password that was shown: with another one it is over.
  credential_id uuid        not null,
  tries         integer     not null,
  made_at       timestamptz not null
);
create index totp_challenges_made_at on totp_challenges (made_at);
create index totp_challenges_user_id on totp_challenges (user_id);
