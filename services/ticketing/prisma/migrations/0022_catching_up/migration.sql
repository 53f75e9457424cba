-- At most one row, while catch-up.ts has begun and not ended: no instance sells meanwhile.
create table catching_up (
  one      boolean     primary key default true check (one),
  -- Messages that were said before this are known: the first run of several knows, the end of the log moves on with each.
  since    timestamptz not null,
  begun_at timestamptz not null default now()
);
