-- Writes of rows that were made once for their idempotency key (packages/kit/src/postgres/once.ts). Limits count the same rows.
create table requests (
  -- 0: without an account.
  user_id     integer        not null,
  -- Keys of one kind are separate from those of another.
  kind        text           not null,
  key         text           not null collate "C",
  fingerprint text           not null,
  -- The number that the write gave.
  result      integer        not null,
  -- What else limits count it by, such as 'event 7'.
  about       text,
  at          timestamptz(3) not null,
  primary key (user_id, kind, key)
);
create index requests_of on requests (user_id, at);
create index requests_about on requests (about, at) where about is not null;
