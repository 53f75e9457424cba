-- No read models: like credentials they are not in the log, and are backed up with it.
create table passkeys (
  id            uuid        primary key,
  user_id       integer     not null,
  -- What authenticators call it, in base64url.
  credential_id text        not null unique,
  public_key    bytea       not null,
  -- Of the authenticator: one that counts and does not rise is a copy.
  counter       bigint      not null,
  transports    text[]      not null,
  -- What the authenticator knows the account as: random, neither number nor address.
  user_handle   text        not null,
  name          text        not null,
  -- Of the account as it was added: a reset of the password takes away those of before.
  generation    integer     not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index passkeys_user_id on passkeys (user_id, created_at);

-- Each is good once, for five minutes.
create table passkey_challenges (
  -- sha256 of the challenge.
  hash        bytea       primary key,
  -- Null: to sign in with; else to add one to this account.
  user_id     integer,
  user_handle text,
  generation  integer,
  made_at     timestamptz not null
);
create index passkey_challenges_made_at on passkey_challenges (made_at);
create index passkey_challenges_user_id on passkey_challenges (user_id);
