-- As before, but a batch of holds of which none comes near a limit is noted by one statement instead of three for each hold.
create or replace function take_network_holds(
  requests uuid[], order_ids uuid[], event_ids integer[], quantities smallint[], replaced uuid[],
  hold_of integer[], networks uuid[], most integer[], decided_within interval
) returns setof boolean language plpgsql as $$
declare
  place integer := 1;
  start integer;
  others integer;
  fits boolean;
begin
  -- No hold waits for the disk a second time. A crash of PostgreSQL may forget the notes of its last second.
  perform set_config('synchronous_commit', 'off', true);
  -- Those of one network one after the other, until this has committed. In one order for all, so that none waits in a circle.
  perform pg_advisory_xact_lock(l.key) from (
    select distinct hashtextextended(networks[i]::text, 0) as key from generate_subscripts(networks, 1) i
    where hold_of[i + 1] is distinct from hold_of[i] order by 1
  ) l;
  -- As a rule all fit, also when everything that could count is counted: then they are noted together.
  if not exists (
    select from (
      select networks[n] as network, min(most[n]) as most, sum(quantities[hold_of[n]]) as quantity
      from generate_subscripts(networks, 1) n group by networks[n]
    ) asked
    where asked.most < asked.quantity + (
      select coalesce(sum(greatest(o.quantity, h.quantity)), 0)
      from network_holds h left join orders o on o.order_id = h.order_id
      where h.network = asked.network
        and case when o.order_id is null then h.decided_by > now() else o.status = 'held' end
    )
  ) then
    insert into network_holds (network, request, order_id, quantity, decided_by)
    select networks[n], requests[hold_of[n]], order_ids[hold_of[n]], quantities[hold_of[n]], now() + decided_within
    from generate_subscripts(networks, 1) n
    where not exists (select from orders o where o.order_id = order_ids[hold_of[n]]);
    return query select true from generate_subscripts(requests, 1);
    return;
  end if;
  for hold in 1 .. cardinality(requests) loop
    start := place;
    fits := true;
    while hold_of[place] = hold loop
      place := place + 1;
    end loop;
    if not exists (select from orders o where o.order_id = order_ids[hold]) then
      for i in start .. place - 1 loop
        -- Of several requests for one order at most one is granted: the largest counts. A hold that is given back for this one does not.
        select coalesce(sum(open.quantity), 0) into others from (
          select max(coalesce(o.quantity, h.quantity)) as quantity
          from network_holds h left join orders o on o.order_id = h.order_id
          where h.network = networks[i] and h.order_id <> order_ids[hold]
            and case when o.order_id is null then h.decided_by > now() else o.status = 'held' end
            and (h.order_id is distinct from replaced[hold] or o.order_id is null or o.event_id <> event_ids[hold])
          group by h.order_id
        ) open;
        fits := fits and others + quantities[hold] <= most[i];
      end loop;
      if fits then
        insert into network_holds (network, request, order_id, quantity, decided_by)
        select networks[i], requests[hold], order_ids[hold], quantities[hold], now() + decided_within from generate_series(start, place - 1) i;
      end if;
    end if;
    return next fits;
  end loop;
end $$;
