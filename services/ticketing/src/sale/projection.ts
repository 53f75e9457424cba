import { int2s, int4s, texts, times, uuids, type Projection, type Recorded } from '@beltway/event-store';
import type { SaleEvent, Terms } from './events.ts';

/** How many are there, sold, held: one row per sale, written once per group. */
export const projectAvailability: Projection<SaleEvent> = (sql, group) => {
  const last = group.at(-1);
  if (!last) return;
  const eventId = Number(last.id);
  let terms: Terms | undefined;
  let closed: string | null | undefined;
  let sold = 0;
  let held = 0;
  let revenueCents = 0;

  for (const { type, data } of group) {
    switch (type) {
      case 'SaleOpened':
        sql.query(
          `insert into availability (event_id, organiser_id, capacity, price_cents, opens_at, closes_at, version)
           values ($1, $2, $3, $4, $5, $6, 0)`,
          [eventId, data.organiserId, data.capacity, data.priceCents, data.opensAt, data.closesAt],
        );
        closed = null; // a replay has an earlier withdrawal in the same group
        break;
      case 'SaleChanged':
        terms = data;
        closed = null;
        break;
      case 'SaleClosed':
        closed = data.reason;
        break;
      case 'TicketsHeld':
        held += data.quantity;
        break;
      case 'HoldReleased':
        held -= data.quantity;
        break;
      case 'TicketsSold':
        held -= data.fromHold;
        sold += data.quantity;
        revenueCents += data.quantity * data.priceCents;
        break;
      case 'TicketsReturned':
        sold -= data.quantity;
        revenueCents -= data.amountCents;
        break;
      case 'HoldExtended':
      case 'PaymentAttached':
      case 'RefundRequested':
      case 'MoneyWithdrawn':
      case 'OrderClaimed':
      case 'LinkRenewed':
        break; // none of them moves stock
    }
  }

  if (terms)
    sql.query(
      `update availability set organiser_id = $2, capacity = $3, price_cents = $4, opens_at = $5, closes_at = $6,
         sold = sold + $7, held = held + $8, revenue_cents = revenue_cents + $9, version = $10, closed = $11 where event_id = $1`,
      [
        eventId,
        terms.organiserId,
        terms.capacity,
        terms.priceCents,
        terms.opensAt,
        terms.closesAt,
        sold,
        held,
        revenueCents,
        last.version,
        closed,
      ],
    );
  else
    sql.query(
      `update availability set sold = sold + $2, held = held + $3, revenue_cents = revenue_cents + $4, version = $5,
         closed = case when $6 then $7 else closed end where event_id = $1`,
      [eventId, sold, held, revenueCents, last.version, closed !== undefined, closed ?? null],
    );
};

type Of<Type extends SaleEvent['type']> = Extract<Recorded<SaleEvent>, { type: Type }>;

interface Outcome {
  status: 'expired' | 'released' | 'fulfilled' | 'refunding';
  paymentId: string | null;
  at: string;
}

interface Link {
  generation: number;
  /** The account that claimed the order. */
  buyerId: number | null;
}

/**
 * What became of each order. A row is made by its hold and follows the last event of the group: one that was held, extended and
 * settled in the same group (a replay of the log) is written once, as it ended.
 */
export const projectOrders: Projection<SaleEvent> = (sql, group) => {
  const held: Of<'TicketsHeld'>[] = [];
  const extensions = new Map<string, { until: string; asked: boolean }>();
  const attached = new Map<string, string>();
  const outcomes = new Map<string, Outcome>();
  const links = new Map<string, Link>();

  for (const event of group) {
    const { type, data } = event;
    switch (type) {
      case 'TicketsHeld':
        held.push(event as Of<'TicketsHeld'>);
        break;
      case 'HoldExtended':
        extensions.set(data.orderId, {
          until: data.until,
          asked: data.reason === 'asked' || (extensions.get(data.orderId)?.asked ?? false),
        });
        break;
      case 'PaymentAttached':
        attached.set(data.orderId, data.paymentId);
        break;
      case 'HoldReleased':
        outcomes.set(data.orderId, {
          status: data.reason === 'expired' ? 'expired' : 'released',
          paymentId: null,
          at: event.occurredAt.toISOString(),
        });
        break;
      case 'TicketsSold':
        outcomes.set(data.orderId, { status: 'fulfilled', paymentId: data.paymentId, at: data.at });
        break;
      case 'RefundRequested':
      case 'TicketsReturned':
        outcomes.set(data.orderId, {
          status: 'refunding',
          paymentId: data.paymentId,
          at: event.occurredAt.toISOString(),
        });
        break;
      case 'OrderClaimed':
      case 'LinkRenewed':
        links.set(data.orderId, {
          generation: data.linkGeneration,
          buyerId: type === 'OrderClaimed' ? data.buyerId : (links.get(data.orderId)?.buyerId ?? null),
        });
        break;
      case 'SaleOpened':
      case 'SaleChanged':
      case 'SaleClosed':
      case 'MoneyWithdrawn':
        break; // about the sale, or about a payment: what became of its order other events say
    }
  }

  const isFresh = ({ data: { orderId, extended } }: Of<'TicketsHeld'>) =>
    !extended && !extensions.has(orderId) && !attached.has(orderId) && !outcomes.has(orderId);
  const fresh = held.filter(isFresh);
  if (fresh.length > 0)
    sql.query(
      `insert into orders (order_id, event_id, buyer_id, quantity, price_cents, status, held_at, hold_until)
       select unnest($2::uuid[]), $1, unnest($3::int[]), unnest($4::smallint[]), unnest($5::int[]), 'held', unnest($6::timestamptz[]), unnest($7::timestamptz[])`,
      heldValues(fresh),
    );
  if (fresh.length < held.length) {
    const settled = held.filter((event) => !isFresh(event));
    const ends = settled.map(({ data: { orderId, until, extended = false } }) => {
      const extension = extensions.get(orderId);
      const outcome = outcomes.get(orderId);
      return {
        until: extension?.until ?? until,
        asked: extended || (extension?.asked ?? false),
        status: outcome?.status ?? 'held',
        paymentId: outcome?.paymentId ?? attached.get(orderId) ?? null,
        at: outcome?.at,
      };
    });
    sql.query(
      `insert into orders (order_id, event_id, buyer_id, quantity, price_cents, held_at, hold_until, extended, status, payment_id, settled_at)
       select unnest($2::uuid[]), $1, unnest($3::int[]), unnest($4::smallint[]), unnest($5::int[]), unnest($6::timestamptz[]), unnest($7::timestamptz[]),
         unnest($8::boolean[]), unnest($9::text[]), unnest($10::text[]), unnest($11::timestamptz[])`,
      [
        ...heldValues(settled).with(-1, times(ends.map(({ until }) => until))),
        ends.map(({ asked }) => asked),
        texts(ends.map(({ status }) => status)),
        texts(ends.map(({ paymentId }) => paymentId)),
        times(ends.map(({ at }) => at)),
      ],
    );
    for (const { data } of settled) {
      extensions.delete(data.orderId);
      attached.delete(data.orderId);
      outcomes.delete(data.orderId);
    }
  }
  if (extensions.size > 0)
    sql.query(
      `update orders set hold_until = n.until, extended = orders.extended or n.asked
       from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) n (order_id, until, asked) where orders.order_id = n.order_id`,
      [
        uuids([...extensions.keys()]),
        times([...extensions.values()].map(({ until }) => until)),
        [...extensions.values()].map(({ asked }) => asked),
      ],
    );
  if (attached.size > 0)
    sql.query(
      'update orders set payment_id = n.payment_id from unnest($1::uuid[], $2::text[]) n (order_id, payment_id) where orders.order_id = n.order_id',
      [uuids([...attached.keys()]), texts([...attached.values()])],
    );
  if (outcomes.size > 0)
    sql.query(
      `update orders set status = n.status, payment_id = coalesce(n.payment_id, orders.payment_id), settled_at = n.at
       from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) n (order_id, status, payment_id, at) where orders.order_id = n.order_id`,
      [
        uuids([...outcomes.keys()]),
        texts([...outcomes.values()].map(({ status }) => status)),
        texts([...outcomes.values()].map(({ paymentId }) => paymentId)),
        times([...outcomes.values()].map(({ at }) => at)),
      ],
    );
  // After the rows are there: a replay has hold, sale and claim in one group.
  if (links.size > 0)
    sql.query(
      `update orders set link_generation = n.generation, buyer_id = coalesce(n.buyer, orders.buyer_id)
       from unnest($1::uuid[], $2::int[], $3::int[]) n (order_id, generation, buyer) where orders.order_id = n.order_id`,
      [
        uuids([...links.keys()]),
        int4s([...links.values()].map(({ generation }) => generation)),
        int4s([...links.values()].map(({ buyerId }) => buyerId)),
      ],
    );
};

/** `[event, orders, buyers, quantities, prices, held at, held until]`, as both inserts take them. */
const heldValues = (held: Of<'TicketsHeld'>[]): unknown[] => [
  Number(held[0]?.id),
  uuids(held.map(({ data }) => data.orderId)),
  int4s(held.map(({ data }) => data.buyerId)),
  int2s(held.map(({ data }) => data.quantity)),
  int4s(held.map(({ data }) => data.priceCents)),
  times(held.map(({ data }) => data.at)),
  times(held.map(({ data }) => data.until)),
];

/** One row per admission. */
export const projectTickets: Projection<SaleEvent> = (sql, group) => {
  const rows = group.flatMap((event) =>
    event.type === 'TicketsSold'
      ? event.data.tickets.map((ticket, index) => ({ ...ticket, ordinal: index + 1, event }))
      : [],
  );
  if (rows.length > 0)
    sql.query(
      `insert into tickets (id, order_id, event_id, code, ordinal, price_cents, sold_at)
       select unnest($2::uuid[]), unnest($3::uuid[]), $1, unnest($4::text[]), unnest($5::smallint[]), unnest($6::int[]), unnest($7::timestamptz[])`,
      [
        Number(rows[0]?.event.id),
        uuids(rows.map(({ id }) => id)),
        uuids(rows.map(({ event }) => event.data.orderId)),
        texts(rows.map(({ code }) => code)),
        int2s(rows.map(({ ordinal }) => ordinal)),
        int4s(rows.map(({ event }) => event.data.priceCents)),
        times(rows.map(({ event }) => event.data.at)),
      ],
    );
  const returned = group.flatMap((event) => (event.type === 'TicketsReturned' ? [event.data.orderId] : []));
  if (returned.length > 0)
    sql.query(`update tickets set status = 'refunded' where order_id = any($1::uuid[])`, [uuids(returned)]);
};
