-- What the geocoding service said of a location that the gazetteer does not know for sure. Of no event and no projection: a rebuild keeps it.
create table located (
  -- As organisers wrote it.
  location text             primary key,
  -- Degrees, WGS 84; null: nobody knows it, or nobody was asked yet.
  lat      double precision,
  lon      double precision,
  state    text             check (state in ('DC', 'MD', 'VA')),
  attempts integer          not null default 0,
  -- When it is asked for (again); null: it is settled.
  next_at  timestamptz,
  check ((lat is null) = (lon is null) and (lat is null) = (state is null))
);
create index located_waiting on located (next_at) where next_at is not null;
