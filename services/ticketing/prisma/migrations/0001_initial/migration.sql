create extension if not exists pg_trgm;

-- The part of an order, 0 to 1, that counts as lapsed: all of it if its hold expired unpaid; if the buyer gave it back,
-- the time that others waited for it, divided by ten minutes.
create function lapsed_part(status text, held_at timestamptz, settled_at timestamptz) returns float8
language sql immutable parallel safe return case status when 'expired' then 1
  when 'released' then least(1, greatest(0, extract(epoch from settled_at - held_at)::float8 / 600)) else 0 end;

-- The number of tickets in the lines of a log event.
create function tickets_in(lines json) returns integer language sql immutable parallel safe
  return (select coalesce(sum((line ->> 'quantity')::integer), 0) from json_array_elements(lines) line);

-- Folds a text for searches: customers and attendees are found regardless of case, accents, apostrophes and hyphens
-- (src/order/search-words.ts). ASCII text skips the normalization, which takes most of the time.
create function fold_text(text) returns text language sql immutable parallel safe
  return case when octet_length($1) = length($1) then translate(lower($1), '-''`', ' ')
    else regexp_replace(translate(normalize(lower($1), NFKD), '-''’‘ʼ`', ' '), '[\u0300-\u036f]', '', 'g') end;

-- Read model of the streams sale-<event id>: the stock of an event's tickets.
create table availability (
  event_id integer primary key,
  organizer_id integer not null,
  capacity integer not null,
  price_cents integer not null,
  opens_at timestamptz,
  closes_at timestamptz,
  closed text,
  sold integer not null default 0,
  held integer not null default 0,
  revenue_cents bigint not null default 0,
  version bigint not null,
  constraint availability_counts check (sold >= 0 and held >= 0)
);

-- Read model of the streams sale-<event id>: one buyer's hold and its outcome.
create table orders (
  order_id uuid primary key,
  event_id integer not null,
  buyer_id integer,
  quantity smallint not null,
  status text not null,
  held_at timestamptz not null,
  hold_until timestamptz not null,
  extended boolean not null default false,
  payment_id text,
  settled_at timestamptz,
  -- How often its link was revoked.
  link_generation integer not null default 0,
  -- The buyer may cancel until this many hours before the event begins, as promised at the hold; null: never.
  refund_deadline_hours integer default 24,
  returned smallint not null default 0,
  frozen boolean not null default false,
  -- True while a bank has the money of a lost dispute: the tickets do not admit.
  is_void boolean not null default false,
  -- Its tickets by type, at the prices of the hold (packages/contracts/src/ticketing/order-lines.ts,
  -- docs/decisions/0111). In the order's row, so that a hold writes one row.
  lines jsonb not null,
  total_cents integer not null,
  returned_cents integer not null default 0,
  fee_cents integer not null default 0
);
create index orders_expiring on orders (hold_until) where status = 'held';
create index orders_of_buyer on orders (buyer_id) where status in ('fulfilled', 'refunding') and buyer_id is not null;
create index orders_sold on orders (event_id, status, held_at, order_id) where status in ('fulfilled', 'refunding');
-- All paid orders, newest first, without holds.
create index orders_newest on orders (held_at, order_id) where status in ('fulfilled', 'refunding');

-- Read model of the streams sale-<event id>: one row per admission.
create table tickets (
  id uuid not null unique,
  order_id uuid not null,
  event_id integer not null,
  code text not null unique,
  ordinal smallint not null,
  price_cents integer not null,
  sold_at timestamptz not null,
  -- The refund that ended it, or the order's id for a refund without a request; null: it has not ended.
  refund_id uuid,
  -- Ticket type of its line.
  type text not null,
  primary key (order_id, ordinal)
);

-- The buyer of an order: personal data, outside the log so that it can be erased.
create table checkouts (
  order_id uuid primary key,
  holder_name text not null,
  holder_email text not null,
  payment_id text unique,
  refunded_at timestamptz,
  created_at timestamptz not null default now(),
  -- Order number for buyers and support: 40 random bits, shown as eight characters of Crockford's base 32
  -- (src/order/number.ts). Random, so that it does not reveal how much is sold; a duplicate fails and is drawn again.
  number bigint default floor(random() * 1099511627776)::bigint,
  -- When the money of a lost dispute came back although the tickets had ended: staff decide whether the buyer gets it.
  -- null: it did not.
  reinstated_at timestamptz,
  -- Language of the checkout, `en` or `es`: mails, printed tickets and calendar files follow it.
  language text not null default 'en',
  constraint checkouts_number unique (number)
);
-- Finds orders by a buyer's complete address: claims, searches of admins, and a guest's recent order for the same
-- tickets. The trigram index would intersect long lists for that.
create index checkouts_address on checkouts (lower(holder_email));
create index checkouts_folded on checkouts using gin (fold_text(' ' || holder_name || E'\n ' || holder_email) gin_trgm_ops);

-- The catalog's latest state of an event.
create table listings (
  event_id integer primary key,
  organizer_id integer not null,
  title text not null,
  location text not null,
  image_url text,
  event_date timestamptz not null,
  event_start_time text not null,
  event_end_time text,
  status text not null default 'published',
  -- Version of the catalog's stream: an older message changes nothing. 0: only the cancellation has arrived.
  catalog_version integer not null default 0,
  -- Midnight in New York at the start of the last day; null: the event takes one day.
  event_last_date timestamptz,
  -- The event is suspended: nothing is sold, tickets stay valid.
  is_suspended boolean not null default false,
  -- The exact address, in addition to the location; null: none.
  address text
);
create index listings_of_organizer on listings (organizer_id);
create index listings_folded on listings using gin (fold_text(' ' || title) gin_trgm_ops);

-- The Ed25519 key that signs tickets.
create table signing_keys (
  id smallint primary key,
  public_key text not null,
  sealed_key text not null,
  created_at timestamptz not null default now()
);

-- The network of a guest's hold, as a keyed hash (src/checkout/network-holds.ts, docs/decisions/0026): one row for an
-- IPv4 address, or one each for a /64, /56 and /48 of IPv6. Whether the hold is open is in orders; the rows are deleted
-- after it has ended.
create table network_holds (
  network uuid not null,
  request uuid not null,
  order_id uuid not null,
  quantity smallint not null,
  -- Until this time a hold without an order counts, because its sale may still be deciding. Later it will never have
  -- one.
  decided_by timestamptz not null,
  event_id integer,
  -- The open order of the same sale that this hold replaces; null: none.
  replaces uuid,
  -- The number of tickets of the sale that the network may hold.
  of_sale integer,
  primary key (network, request)
);

-- A change of an event's time or place that its buyers are mailed about (src/mail/changes.ts). An open notice collects
-- the organizer's changes of some minutes; a closed one is mailed, and stays for mails that are still to be written.
create table change_notices (
  id bigint primary key generated always as identity,
  event_id integer not null,
  was jsonb not null,
  opened_at timestamptz not null default now(),
  -- Time of the last change.
  changed_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index change_notices_open on change_notices (event_id) where closed_at is null;
create index change_notices_closed on change_notices (event_id) where closed_at is not null;

-- Read model of the streams sale-<event id>: refunds of an order or of some of its tickets.
create table order_refunds (
  refund_id uuid primary key,
  order_id uuid not null,
  event_id integer not null,
  cause text not null,
  quantity smallint not null,
  amount_cents integer not null,
  requested_at timestamptz not null
);
create index order_refunds_order_id_idx on order_refunds (order_id);

-- State of a refund that is not in this service's log: the reason given, and what payments reported.
create table refund_progress (
  refund_id uuid primary key,
  order_id uuid not null,
  reason text,
  refunded_at timestamptz,
  failed_at timestamptz,
  -- The provider's refund that returned the rest of the order together with this one; '' when unknown. null: it had its
  -- own.
  went_with text
);

-- Audit of order views by the event's organizer and admins.
create table order_looks (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null,
  account_id integer not null,
  role text not null,
  at timestamptz not null default now()
);
create index order_looks_order_id_at_idx on order_looks (order_id, at);

-- One row while a run of src/catch-up.ts has begun and not ended; while it exists, no instance starts.
create table catching_up (
  one boolean primary key default true check (one),
  -- Messages published before this time are known. The first run stores it, because each run moves the end of the log.
  since timestamptz not null,
  begun_at timestamptz not null default now()
);

-- Tickets of a sale that a network let lapse, less those that it paid for; forgotten after a day without a lapse.
-- `paused` of them count as held until `paused_until`.
create table network_lapses (
  network uuid not null,
  event_id integer not null,
  tickets double precision not null,
  paused double precision not null,
  paused_until timestamptz not null,
  updated_at timestamptz not null,
  primary key (network, event_id)
);
create index network_lapses_old on network_lapses (updated_at);

-- Events that the relay and the mails read by type (MONEY_EVENTS in src/sale/events.ts).
create index events_of_money on events (tx, position)
  where type in ('TicketsSold', 'PaymentNotFulfilled', 'TicketsReturned');

-- Records holds of guests before their sales decide, in order. Returns 0 for each, or the seconds after which a hold
-- that would take a network over a limit may be repeated. `hold_of`: the index of the hold that a network belongs to;
-- `most`: open tickets that the network may hold in all; `allowances`: the number of clients that it counts as. In one
-- sale it may hold `part` of the capacity for each of them, half of the capacity at most, and `least_of_sale` tickets
-- in any case. `come_back`: the seconds returned when open holds reach a limit. Lapsed tickets count once there are
-- `least_of_sale` of them.
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
