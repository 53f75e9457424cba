-- What accounts and networks may take over hours and days (src/http/limits/allowances.ts): a bucket each, full at first, that refills evenly.
-- `spent_until`: when all that was taken is refilled. The key is a keyed hash: no address is stored.
create table allowances (
  key         uuid primary key,
  spent_until timestamptz not null
);
create index allowances_spent on allowances (spent_until);

-- Takes from all buckets or from none; answers 0, or the seconds until all have enough. `costs`: seconds that refilling takes; `sizes`: those
-- of the whole bucket. More than a bucket holds is taken from a full one.
create function take_allowances(keys uuid[], costs float8[], sizes float8[]) returns float8 language plpgsql as $$
declare
  wait float8;
begin
  -- No answer waits for the disk: a crash of PostgreSQL may forget what was taken in its last second.
  perform set_config('synchronous_commit', 'off', true);
  delete from allowances where key in (
    select key from allowances where spent_until < now() - interval '1 hour' order by spent_until limit 10 for update skip locked);
  -- In one order for all, so that none waits in a circle.
  insert into allowances (key, spent_until) select k, '-infinity' from unnest(keys) k order by k on conflict do nothing;
  perform from allowances where key = any(keys) order by key for update;
  select greatest(0, max(extract(epoch from greatest(a.spent_until, clock_timestamp()) - clock_timestamp()) - greatest(n.size - n.cost, 0)))
    into wait from unnest(keys, costs, sizes) n (key, cost, size) join allowances a using (key);
  if wait > 0 then
    return wait;
  end if;
  update allowances a set spent_until = greatest(a.spent_until, clock_timestamp()) + make_interval(secs => n.cost)
    from unnest(keys, costs) n (key, cost) where a.key = n.key;
  return 0;
end $$;
