-- Which network a hold was asked from, as a keyed hash (order/network-holds.ts; docs/decisions/0026). Whether the hold is open is what `orders`
-- says: nothing is given back here. One row for each network of a request: an IPv4 address, or a /64, /56 and /48 of IPv6.
create table network_holds (
  network    uuid        not null,
  request    uuid        not null,
  order_id   uuid        not null,
  quantity   smallint    not null,
  -- Until then it counts while there is no such order: the sale may still be deciding.
  decided_by timestamptz not null,
  primary key (network, request)
);

-- Notes holds that are about to be asked of their sales, in order; false for one that would take a network over its limit. Several networks of
-- one hold stand next to each other, the widest last; `hold_of` is the hold's index. An order that exists already takes nothing more.
create function take_network_holds(
  requests uuid[], order_ids uuid[], event_ids integer[], quantities smallint[], replaced uuid[],
  hold_of integer[], networks uuid[], most integer[], decided_within interval
) returns setof boolean language plpgsql as $$
declare
  n integer := 1;
  first integer;
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
  for hold in 1 .. cardinality(requests) loop
    first := n;
    fits := true;
    while hold_of[n] = hold loop
      n := n + 1;
    end loop;
    if not exists (select from orders o where o.order_id = order_ids[hold]) then
      for i in first .. n - 1 loop
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
        select networks[i], requests[hold], order_ids[hold], quantities[hold], now() + decided_within from generate_series(first, n - 1) i;
      end if;
    end if;
    return next fits;
  end loop;
end $$;
