-- Guests of a network hold a part of one sale at most, and tickets that lapse unpaid go on counting for a pause that grows
-- (checkout/network-holds.ts). Notes of before have none of these; their sale is that of their order.
alter table network_holds add column event_id integer, add column replaces uuid, add column of_sale integer;

-- What a network let lapse of a sale. `tickets`: of a day, less what it paid for. `paused`: these count as held until `paused_until`.
create table network_lapses (
  network      uuid        not null,
  event_id     integer     not null,
  tickets      float8      not null,
  paused       float8      not null,
  paused_until timestamptz not null,
  updated_at   timestamptz not null,
  primary key (network, event_id)
);
create index network_lapses_old on network_lapses (updated_at);

-- How much of an order counts as lapsed: all of it when its time ended unpaid; when it was given back, by how long others waited for it.
create function lapsed_part(status text, held_at timestamptz, settled_at timestamptz) returns float8
language sql immutable parallel safe return case status when 'expired' then 1
  when 'released' then least(1, greatest(0, extract(epoch from settled_at - held_at)::float8 / 600)) else 0 end;

-- Notes holds of guests that are about to be asked of their sales, in order; 0, or the seconds after which one that would take a network over
-- a limit may come back. `hold_of` is a network's hold by its index, `most` what the network may hold in all, `allowances` how many senders
-- it may be. Of a sale it may hold `part` for each of them, `least_of_sale` at least, and half at most. `come_back`: seconds, for a limit that
-- open holds reach. What lapsed counts once it is `least_of_sale` tickets. The older take_network_holds stays for the instances of before.
create function take_guest_holds(
  requests uuid[], order_ids uuid[], event_ids integer[], quantities smallint[], replaced uuid[],
  hold_of integer[], networks uuid[], most integer[], allowances integer[], part float8, least_of_sale integer,
  come_back integer, decided_within interval
) returns setof integer language plpgsql as $$
declare
  place integer := 1;
  start integer;
  in_all integer;
  open_in_sale integer;
  lapsed_now float8;
  lapsed_before float8;
  paused_tickets float8;
  pause_s integer;
  wait integer;
  of_sales integer[];
begin
  -- No hold waits for the disk a second time. A crash of PostgreSQL may forget the notes of its last second.
  perform set_config('synchronous_commit', 'off', true);
  -- Those of one network one after the other, until this has committed. In one order for all, so that none waits in a circle.
  perform pg_advisory_xact_lock(l.key) from (
    select distinct hashtextextended(networks[i]::text, 0) as key from generate_subscripts(networks, 1) i
    where hold_of[i + 1] is distinct from hold_of[i] order by 1
  ) l;
  select array_agg(greatest(least_of_sale,
      least(ceil(coalesce(a.capacity, 0) * part) * allowances[n.at], ceil(coalesce(a.capacity, 0) / 2.0))) order by n.at)
    into of_sales
    from generate_subscripts(networks, 1) n (at) left join availability a on a.event_id = event_ids[hold_of[n.at]];
  -- As a rule all fit, also when everything that could count is counted: then they are noted together.
  if not exists (
    with asked as (
      select networks[n] as network, event_ids[hold_of[n]] as event_id, min(of_sales[n]) as of_sale, min(most[n]) as most_in_all,
        sum(quantities[hold_of[n]]) as quantity
      from generate_subscripts(networks, 1) n group by 1, 2
    ), held as materialized (
      select n.network, x.* from (select distinct unnest(networks) as network) n cross join lateral (
        select coalesce(h.event_id, o.event_id) as event_id,
          sum(greatest(o.quantity, h.quantity)) filter (where o.order_id is null or o.status = 'held') as is_open,
          sum(o.quantity * lapsed_part(o.status, o.held_at, o.settled_at)) filter (where o.status in ('expired', 'released')) as lapsed
        from network_holds h left join orders o on o.order_id = h.order_id
        where h.network = n.network
          and case when o.order_id is null then h.decided_by > now() else o.status in ('held', 'expired', 'released') end
        group by 1
        union all
        select l.event_id, null, l.paused from network_lapses l where l.network = n.network and l.paused_until > now()
      ) x
    )
    select from asked a join (
        select network, event_id, sum(coalesce(is_open, 0) + coalesce(lapsed, 0)) as tickets from held group by 1, 2
      ) h using (network, event_id)
    where a.of_sale < a.quantity + floor(h.tickets)
    union all
    select from asked a where a.of_sale < a.quantity
    union all
    select from (select network, min(most_in_all) as most_in_all, sum(quantity) as quantity from asked group by 1) a
      join (select network, sum(is_open) as is_open from held group by 1) h using (network)
    where a.most_in_all < a.quantity + coalesce(h.is_open, 0)
    union all
    select from asked group by network having min(most_in_all) < sum(quantity)
  ) then
    insert into network_holds (network, request, order_id, quantity, decided_by, event_id, replaces, of_sale)
    select networks[n], requests[hold_of[n]], order_ids[hold_of[n]], quantities[hold_of[n]], now() + decided_within,
      event_ids[hold_of[n]], replaced[hold_of[n]], of_sales[n]
    from generate_subscripts(networks, 1) n
    where not exists (select from orders o where o.order_id = order_ids[hold_of[n]]);
    return query select 0 from generate_subscripts(requests, 1);
    return;
  end if;
  for hold in 1 .. cardinality(requests) loop
    start := place;
    wait := 0;
    while hold_of[place] = hold loop
      place := place + 1;
    end loop;
    if not exists (select from orders o where o.order_id = order_ids[hold]) then
      for i in start .. place - 1 loop
        -- Of several requests for one order at most one is granted: the largest counts. A hold that is given back for this one does not, and
        -- one that was replaced lapses as the one that has its place.
        select coalesce(sum(c.quantity) filter (where c.is_open), 0),
            coalesce(sum(c.quantity) filter (where c.is_open and c.event_id = event_ids[hold]), 0),
            coalesce(sum(c.quantity) filter (where not c.is_open and c.event_id = event_ids[hold]), 0)
          into in_all, open_in_sale, lapsed_now from (
          select max(case when o.order_id is null or o.status = 'held' then coalesce(o.quantity, h.quantity)
              else o.quantity * lapsed_part(o.status, o.held_at, o.settled_at) end) as quantity,
            max(coalesce(h.event_id, o.event_id)) as event_id,
            bool_or(o.order_id is null or o.status = 'held') as is_open
          from network_holds h left join orders o on o.order_id = h.order_id
          where h.network = networks[i] and h.order_id <> order_ids[hold]
            and case when o.order_id is null then h.decided_by > now() when o.status = 'held' then true
              else o.status in ('expired', 'released') and not exists (
                select from network_holds r join orders n on n.order_id = r.order_id where r.network = h.network and r.replaces = h.order_id) end
            and (h.order_id is distinct from replaced[hold] or o.order_id is null or o.event_id <> event_ids[hold])
          group by h.order_id
        ) c;
        select coalesce(max(l.tickets), 0), coalesce(max(l.paused) filter (where l.paused_until > now()), 0),
            coalesce(max(ceil(extract(epoch from l.paused_until - now()))), 0)
          into lapsed_before, paused_tickets, pause_s from network_lapses l
          where l.network = networks[i] and l.event_id = event_ids[hold];
        if in_all + quantities[hold] > most[i] or open_in_sale + quantities[hold] > of_sales[i] then
          wait := greatest(wait, come_back);
        elsif lapsed_before + lapsed_now >= least_of_sale
            and floor(open_in_sale + lapsed_now + paused_tickets) + quantities[hold] > of_sales[i] then
          wait := greatest(wait, come_back, pause_s);
        end if;
      end loop;
      if wait = 0 then
        insert into network_holds (network, request, order_id, quantity, decided_by, event_id, replaces, of_sale)
        select networks[i], requests[hold], order_ids[hold], quantities[hold], now() + decided_within,
          event_ids[hold], replaced[hold], of_sales[i] from generate_series(start, place - 1) i;
      end if;
    end if;
    return next wait;
  end loop;
end $$;
